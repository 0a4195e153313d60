"""The view that hands a campaign out as one file, for another server."""

from __future__ import annotations

import tempfile

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaigns.access import campaign_for
from campaigns.campaign_file.contents import seasons_of
from campaigns.campaign_file.writing import write_campaign
from campaigns.models import Campaign
from config.access import login_required
from config.backup.faults import BackupFault

IN_MEMORY = 4 * 1024 * 1024


@login_required
@require_safe
@never_cache
def campaign_file_export(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Send the campaign with the seasons before it, to somebody who administers all of them."""
    campaign = campaign_for(request.user, pk, to="administer")
    seasons = seasons_of(campaign)
    if Campaign.objects.administered_by(request.user).filter(pk__in=seasons).count() < len(seasons):
        raise PermissionDenied(_("An earlier season has other administrators. Ask one of them for the file."))
    target = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - the response closes it
    try:
        write_campaign(campaign, target)
    except BackupFault as fault:
        target.close()
        messages.error(request, str(fault))
        return redirect("campaign-copy", pk)
    target.seek(0)
    name = f"{slugify(campaign.name) or 'campaign'}.campaign"
    return FileResponse(target, as_attachment=True, filename=name, content_type="application/gzip")
