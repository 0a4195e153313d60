"""Every act of a battle that others want to read becomes news of its campaign, as acts are written from now on."""

from django.db import migrations

CAMPAIGN = "campaigns.Campaign"
QUIET = ("roll", "choose", "step", "fought", "write", "force", "scenario", "attacker", "muster-roll", "claim-link")
AT_ONCE = 400


def tell(apps, editor):
    """Make the campaign of each battle a reader of the battle's events."""
    battle_model, event_model, subject_model = (
        apps.get_model(name) for name in ("campaigns.Battle", "warbands.Event", "warbands.EventSubject")
    )
    battles = list(battle_model.objects.values_list("pk", "campaign_id"))
    for start in range(0, len(battles), AT_ONCE):
        campaigns = {f"battle:{pk}": campaign for pk, campaign in battles[start : start + AT_ONCE]}
        events = event_model.objects.filter(occasion__in=list(campaigns), undoes__isnull=True)
        loud = [
            (pk, campaigns[occasion])
            for pk, occasion, kind, data in events.values_list("pk", "occasion", "kind", "data")
            if kind not in QUIET or (kind == "write" and data.get("grave"))
        ]
        for place in range(0, len(loud), AT_ONCE):
            part = loud[place : place + AT_ONCE]
            told = set(
                subject_model.objects.filter(label=CAMPAIGN, event__in=[pk for pk, _ in part]).values_list(
                    "event_id", "row_id"
                )
            )
            subject_model.objects.bulk_create(
                subject_model(event_id=pk, label=CAMPAIGN, row_id=campaign, is_news=True)
                for pk, campaign in part
                if (pk, campaign) not in told
            )


def forget(apps, editor):
    """Take the readers away again."""
    apps.get_model("warbands.EventSubject").objects.filter(label=CAMPAIGN, is_news=True).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0003_booklet"),
        ("warbands", "0005_event_subject_by_row"),
    ]

    operations = [migrations.RunPython(tell, forget)]
