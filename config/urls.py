"""All URLs of the site. `accounts/` is allauth's (sign-in and passwords), `account/` is ours (the person's own page)."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from accounts.views import sessions_show
from campaigns.api import api
from config.credits import notice_show
from config.health import health_show, ready_show
from config.offline import manifest_show, offline_show, worker_show
from config.privacy import privacy_show
from config.styleguide import component_list

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.page_not_found"
handler500 = "config.errors.server_error"

admin.site.login = secure_admin_login(admin.site.login)  # so that sign-in limits hold there too

urlpatterns = [
    path("accounts/sessions/", sessions_show, name="usersessions_list"),  # in place of allauth's
    path("accounts/", include("allauth.urls")),
    path("account/", include("accounts.urls")),
    path("admin/", admin.site.urls),
    path("notices/", notice_show, name="notice-show"),
    path("privacy/", privacy_show, name="privacy-show"),
    path("healthz", health_show, name="health-show"),
    path("readyz", ready_show, name="ready-show"),
    path("sw.js", worker_show, name="worker-show"),
    path("manifest.webmanifest", manifest_show, name="manifest-show"),
    path("offline/", offline_show, name="offline-show"),
    path("api/v1/", api.urls),
    path("", include("notifications.urls")),
    path("", include("warbands.urls")),
    path("", include("campaigns.urls")),
]

if settings.DEVELOPMENT:
    urlpatterns.append(path("styleguide/", component_list, name="component-list"))
