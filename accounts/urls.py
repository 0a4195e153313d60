"""URLs of a person's own account. Sign-in and passwords are allauth's, under `accounts/`."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("", views.account_show, name="account-show"),
    path("tokens/", views.tokens_show, name="account-tokens"),
    path("keep/", views.account_keep, name="account-keep"),
    path("export/", views.account_export, name="account-export"),
    path("delete/", views.account_delete, name="account-delete"),
    path("demo-login/", views.demo_login, name="demo-login"),
]
