"""Let people say whether a reset link may be handed to them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="takes_reset_links",
            field=models.BooleanField(
                default=True,
                help_text="Without an e-mail address, an administrator of a campaign may hand over a link to set a new password.",
            ),
        ),
    ]
