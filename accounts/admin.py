"""Users in Django's admin, for the site owner."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import User


@admin.register(User)
class PeopleAdmin(UserAdmin):
    """People who signed up. Guests are neither listed nor counted."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).filter(is_guest=False)
