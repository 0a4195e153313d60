"""URLs of a person's notifications, and of the link that stops e-mails without signing in."""

from django.urls import path

from notifications import views

urlpatterns = [
    path("account/notifications/", views.notification_list, name="notification-list"),
    path("account/notifications/devices/", views.device_add, name="device-add"),
    path("stop/<str:code>/", views.notification_stop, name="notification-stop"),
]
