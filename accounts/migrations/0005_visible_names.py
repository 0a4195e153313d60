"""Ask of names that everybody can see them."""

import django.contrib.auth.validators
from django.db import migrations, models

import accounts.validators


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_reset_link")]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="username",
            field=models.CharField(
                error_messages={"unique": "A user with that username already exists."},
                help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                max_length=150,
                unique=True,
                validators=[
                    django.contrib.auth.validators.UnicodeUsernameValidator(),
                    accounts.validators.validate_visible,
                ],
                verbose_name="username",
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="first_name",
            field=models.CharField(
                blank=True,
                max_length=150,
                validators=[accounts.validators.validate_visible],
                verbose_name="first name",
            ),
        ),
    ]
