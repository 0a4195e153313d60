"""Let an owner allow delegates and administrators to end the warband and to reopen its share links."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("warbands", "0005_event_subject_by_row")]

    operations = [
        migrations.AddField(
            model_name="warband",
            name="lends_rights",
            field=models.BooleanField(
                default=False,
                help_text="Delegates and administrators may also disband it, bring it back, and close or reopen share links.",
            ),
        ),
    ]
