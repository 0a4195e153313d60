"""Views of kit and upgrades: what a fighter carries, buys, gives away, returns, and what upgrades it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from config.access import login_required
from config.htmx import render_page
from rules.force import ForceItem
from rules.formatting import listed
from rules.parts.offer import Offer
from rules.problems import Refusal
from warbands.forms import ActForm, ChoiceForm, ItemForm, KitForm, OfferChoosingForm, OfferForm, SwapForm
from warbands.gone import SubjectGone
from warbands.idempotency import new_token
from warbands.labels import has_shop, labels_of
from warbands.models import Fighter, Item, Warband
from warbands.pages.addresses import href_of
from warbands.pages.cards import opened_href
from warbands.pages.formatting import in_full
from warbands.pages.kit import give_page, home_of, kit_page, swap_page
from warbands.pages.offers import must_choose, row_key
from warbands.pages.parts import kit_parts, upgrade_parts
from warbands.pages.roster import Roster, read_roster
from warbands.pages.shop import bare_like, kit_named
from warbands.pages.upgrades import upgrade_page
from warbands.pages.widgets import Link
from warbands.services.kit import buy_item, buy_kit, give_item, return_item, sell_item, swap_item
from warbands.services.roster import set_choice
from warbands.services.upgrades import buy_upgrade, return_upgrade
from warbands.views.acting import Attempt, Notice, add_success_message, attempt, renewed, respond
from warbands.views.builder import is_beside, show_panel, show_shop_beside
from warbands.views.fetch import fighter_for, fresh_roster, item_for, present_row
from warbands.views.offers import BRIEF, OOB, choosing_form, find_of, offer_form, stood_order, take_of
from warbands.views.parts import render_parts
from warbands.views.stash import show_stash

# --- the kit of one fighter -----------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def kit_buy(request: HttpRequest, pk: int) -> HttpResponse:
    warband, __ = fighter_for(request.user, pk, "edit")
    if not has_shop(warband.terms):
        raise Http404
    roster = read_roster(warband)
    row = present_row(roster, pk)
    if request.method != "POST":
        return show_kit(request, warband, row, roster=roster)
    wanted = request.POST.get("offer", "")
    offer = roster.item_offer(wanted, str(pk))
    for_several = "kit" in request.POST or (request.POST.get("also") and offer is not None and not must_choose(offer))
    tried, form = _buy_kit(request, roster, row) if for_several else _buy_one(request, warband, row, offer)

    others = _others(tried, pk)
    place, __ = _place(request.POST.get("at", ""))

    def show(notice: Notice | None, status: int) -> HttpResponse:
        if place == "roster" and request.htmx:  # type: ignore[attr-defined]
            return show_panel(request, warband, pk, notice, status, others=others)
        refused = None if tried.done else form
        return show_kit(request, warband, row, notice, status, form=refused, done=tried.done, others=others)

    here = request.get_full_path()
    onward = f"{here}#{row_key(wanted)}" if wanted else here
    if place == "roster":
        onward = opened_href(warband.pk, pk)
    return respond(request, tried, show, onward=onward, said=_bought_words(roster, row, offer, tried))


def _buy_one(request: HttpRequest, warband: Warband, row: Fighter, offer: Offer | None) -> tuple[Attempt, Any]:
    form = offer_form(request, offer)
    tried = attempt(
        request,
        form,
        lambda: buy_item(
            warband=warband,
            offer_id=form.cleaned_data["offer"],
            fighter=row,
            choices=getattr(form, "chosen", None),
            actor=request.user,
            **form.once,
        ),
    )
    return tried, form


def _buy_kit(request: HttpRequest, roster: Roster, row: Fighter) -> tuple[Attempt, Any]:
    """Buy a whole kit for a fighter, or one offer for several."""
    key = str(row.pk)
    others = [fighter.key for fighter in roster.force.fighters if fighter.active and fighter.key != key]
    form = KitForm(request.POST, others=[int(other) for other in others])

    def do() -> Any:
        asked_for = form.cleaned_data
        kit = asked_for["kit"]
        same = bare_like(roster, key) if kit and asked_for["same"] else []
        takers = dict.fromkeys((key, *same, *(str(pk) for pk in asked_for["also"])))
        parts = kit_named(roster, key, kit) if kit else (asked_for["offer"],)
        if not parts:
            raise Refusal(_("{name} lacks nothing of this kit.").format(name=row.name), code="no-change")
        return buy_kit(
            warband=roster.warband,
            fighters=[roster.row(taker) for taker in takers],
            offer_ids=parts,
            actor=request.user,
            **form.once,
        )

    return attempt(request, form, do), None


def _others(tried: Attempt, pk: int) -> tuple[int, ...]:
    """Return the other fighters who got something by a purchase for several."""
    bought = tried.result if tried.done and isinstance(tried.result, tuple) else ()
    return tuple(dict.fromkeys(item.fighter_id for item in bought if item.fighter_id != pk))


def _bought_words(roster: Roster, row: Fighter, offer: Offer | None, tried: Attempt) -> str:
    """Return what the bar says of a purchase: "Bought Pistol for Niamh." """
    if not tried.done or isinstance(tried.result, Fighter):
        return ""
    if not isinstance(tried.result, tuple):
        return _("Bought {items} for {names}.").format(items=offer.name if offer else "", names=row.name)
    items = dict.fromkeys(roster.item_name(item) for item in tried.result)
    names = dict.fromkeys(item.fighter.name for item in tried.result)
    return _("Bought {items} for {names}.").format(items=", ".join(items), names=listed(names))


def show_kit(
    request: HttpRequest,
    warband: Warband,
    row: Fighter,
    notice: Notice | None = None,
    status: int = 200,
    *,
    roster: Roster | None = None,
    form: Any = None,
    done: bool = False,
    others: Sequence[int] = (),
) -> HttpResponse:
    if is_beside(request):
        return show_shop_beside(
            request, warband, row, notice, status, roster=roster, form=form, done=done, others=others
        )
    kits = [*request.POST.getlist("bought"), *(request.POST.getlist("kit") if done else [])]
    page = kit_page(
        roster or fresh_roster(warband),
        row,
        find=find_of(request),
        take=take_of(request, form),
        order=stood_order(request),
        bought=kits,
    )
    context = {
        "page": page,
        "shop": page.shop,
        "bar": page.bar,
        "brief": page.brief,
        "notice": notice,
        "form": choosing_form(page.shop.opened, form, page.seen),
    }
    return render_parts(
        request, "warbands/kit.html", context, kit_parts(page), partial="kit", oob=OOB, oob_whole=BRIEF, status=status
    )


# --- upgrades -------------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def upgrade_buy(request: HttpRequest, pk: int) -> HttpResponse:
    warband, __ = fighter_for(request.user, pk, "edit")
    if not has_shop(warband.terms):
        raise Http404
    roster = read_roster(warband)
    row = present_row(roster, pk)
    row.warband = warband
    if request.method != "POST":
        return _show_upgrades(request, warband, row, roster=roster)
    wanted, back = request.POST.get("offer", ""), request.POST.get("give_back", "")
    offers = roster.upgrade_offers(str(pk))
    if "choice" in request.POST:
        form: Any = ChoiceForm(request.POST)
        tried = attempt(request, form, lambda: set_choice(row=row, actor=request.user, **form.made, **form.once))
    elif back:
        form = ActForm(request.POST)
        tried = attempt(request, form, lambda: return_upgrade(fighter=row, key=back, actor=request.user, **form.once))
    else:
        form = offer_form(request, next((one for one in offers if one.id == wanted), None))
        tried = attempt(request, form, lambda: _take(request, row, form))

    def show(notice: Notice | None, status: int) -> HttpResponse:
        again = form if isinstance(form, OfferForm | OfferChoosingForm) and not tried.done else None
        return _show_upgrades(request, warband, row, notice, status, form=again)

    return respond(request, tried, show, onward=href_of("upgrade-buy", pk), warband=warband)


def _take(request: HttpRequest, row: Fighter, form: Any) -> Fighter:
    chosen = dict(getattr(form, "chosen", {}))
    option = chosen.pop("option", "")
    return buy_upgrade(
        fighter=row,
        offer_id=form.cleaned_data["offer"],
        option=option,
        choices=chosen or None,
        actor=request.user,
        **form.once,
    )


def _show_upgrades(
    request: HttpRequest,
    warband: Warband,
    row: Fighter,
    notice: Notice | None = None,
    status: int = 200,
    *,
    roster: Roster | None = None,
    form: Any = None,
) -> HttpResponse:
    page = upgrade_page(roster or fresh_roster(warband), row, take=take_of(request, form), order=stood_order(request))
    context = {"page": page, "bar": page.bar, "notice": notice, "form": choosing_form(page.opened, form, page.seen)}
    parts = upgrade_parts(page)
    return render_parts(request, "warbands/upgrades.html", context, parts, partial="upgrades", oob=OOB, status=status)


# --- pieces of kit --------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def item_give(request: HttpRequest, pk: int) -> HttpResponse:
    warband, item = item_for(request.user, pk, "edit")
    roster = read_roster(warband)
    if request.method != "POST":
        return _give_here(request, roster, item) or _show_give(request, roster, item)

    def do(form: ItemForm) -> Any:
        taker = present_row(roster, form.cleaned_data["fighter"]) if form.cleaned_data["fighter"] else None
        return give_item(item=item, fighter=taker, actor=request.user, **form.once)

    return _item_act(
        request,
        warband,
        item,
        do,
        lambda notice, status: _show_give(request, fresh_roster(warband), item, notice, status),
    )


def _give_here(request: HttpRequest, roster: Roster, item: Item) -> HttpResponse | None:
    """Answer htmx with who can take an item, for the page that shows it; None for its own page."""
    at = request.GET.get("at", "")
    place, ref = _place(at)
    if not place or not request.htmx:  # type: ignore[attr-defined]
        return None
    on_roster = place == "roster"
    context = {
        "page": give_page(roster, held(roster, item), str(item.fighter_id or "")),
        "at": at,
        "target": f"fighter_panel_{ref}" if on_roster else place,
        "stood": "#shop_here, #shop_form [data-stood]" if on_roster else f"#{place}_form [data-stood]",
        "swap": "outerHTML" if on_roster else "outerMorph",
        "token": new_token(),
    }
    return render(request, "warbands/parts/give_here.html", context)


def _show_give(
    request: HttpRequest, roster: Roster, item: Item, notice: Notice | None = None, status: int = 200
) -> HttpResponse:
    page = give_page(roster, held(roster, item), str(item.fighter_id or ""))
    return render_page(request, "warbands/give.html", {"page": page, "notice": notice}, status=status)


@login_required
@require_http_methods(["GET", "POST"])
def item_swap(request: HttpRequest, pk: int) -> HttpResponse:
    warband, item = item_for(request.user, pk, "edit")
    roster = read_roster(warband)
    holder = str(item.fighter_id or "")
    page = swap_page(roster, held(roster, item), holder)
    form = SwapForm(request.POST or None, others=page.others, initial={"seen": warband.version, "token": new_token()})

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = fresh_roster(warband)
        context = {
            "title": _("Swap {item}").format(item=page.name),
            "back": Link(page.holder_name or labels_of(warband.terms)["stash"], page.back_href),
            "here": page.here,
            "words": []
            if page.others
            else [
                _("There is nothing to swap with: the {stash} is empty too.").format(
                    stash=labels_of(warband.terms)["stash_within"]
                )
            ],
            "form": renewed(form, fresh.warband.version) if form.is_bound else form,
            "button": _("Swap") if page.others else "",
            "notice": notice,
        }
        return render_page(request, "warbands/act.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)

    def do() -> Any:
        other = roster.item_row(form.cleaned_data["other"])
        if other is None:
            raise SubjectGone(_("The warband no longer has this item."), back=roster.address)
        return swap_item(item=item, other=other, actor=request.user, **form.once)

    tried = attempt(request, form, do)
    return respond(request, tried, show, onward=home_of(roster, holder), warband=warband)


@login_required
@require_http_methods(["GET", "POST"])
def item_stash(request: HttpRequest, pk: int) -> HttpResponse:
    warband, item = item_for(request.user, pk, "edit")
    labels = labels_of(warband.terms)
    stash = labels["stash_within"]
    return _plain(
        request,
        warband,
        item,
        lambda form: give_item(item=item, fighter=None, actor=request.user, **form.once),
        offer=lambda roster: roster.shop.carry(roster.content, roster.force, str(item.pk), ""),
        title=_("Put {{name}} into the {stash}").format(stash=stash),
        words=_("Anyone can take it from there. The {stash} doesn't count for the {rating}.").format(
            stash=stash, rating=labels["rating_within"]
        ),
        button=_("Put into the {stash}").format(stash=stash),
    )


@login_required
@require_http_methods(["GET", "POST"])
def item_sell(request: HttpRequest, pk: int) -> HttpResponse:
    warband, item = item_for(request.user, pk, "edit")
    return _plain(
        request,
        warband,
        item,
        lambda form: sell_item(item=item, actor=request.user, **form.once),
        offer=lambda roster: roster.shop.sale(roster.content, roster.force, str(item.pk)),
        title=_("Sell {name}"),
        words=_("It leaves the warband. You get {price}."),
        button=_("Sell for {price}"),
    )


@login_required
@require_http_methods(["GET", "POST"])
def item_return(request: HttpRequest, pk: int) -> HttpResponse:
    warband, item = item_for(request.user, pk, "edit")
    return _plain(
        request,
        warband,
        item,
        lambda form: return_item(item=item, actor=request.user, **form.once),
        offer=lambda roster: roster.shop.refund(roster.content, roster.force, str(item.pk)),
        title=_("Return {name}"),
        words=_("You get its full price back: {price}."),
        button=_("Return for {price}"),
    )


def _plain(
    request: HttpRequest,
    warband: Warband,
    item: Item,
    do: Callable[[ItemForm], Any],
    *,
    offer: Callable[[Roster], Offer],
    title: str,
    words: str,
    button: str,
) -> HttpResponse:
    """Answer an act on one item that asks nothing more: a page that explains it and has one button."""

    def show(notice: Notice | None, status: int) -> HttpResponse:
        roster = fresh_roster(warband)
        name = roster.item_name(item)
        if item.status != Item.Status.HELD or roster.item_row(str(item.pk)) is None:
            on_offer, told = None, _("The warband no longer has this item.")
        else:
            on_offer = offer(roster)
            told = (
                f"{on_offer.reason} {on_offer.mend}".strip()
                if on_offer.state == "closed"
                else words.format(price=in_full(on_offer.price))
            )
        may = on_offer is not None and on_offer.state != "closed"
        context = {
            "title": title.format(name=name),
            "back": Link(_("Back"), home_of(roster, str(item.fighter_id or ""))),
            "here": request.path,
            "words": [told],
            "form": ItemForm(initial={"seen": roster.warband.version, "token": new_token()}),
            "button": button.format(price=in_full(on_offer.price)) if may and on_offer else "",
            "notice": notice,
        }
        return render_page(request, "warbands/act.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    return _item_act(request, warband, item, do, show)


def held(roster: Roster, item: Item) -> ForceItem:
    """Return the item as the rules see it. Raises SubjectGone if the warband no longer owns it."""
    pieces = [*roster.force.stash, *(piece for fighter in roster.force.fighters for piece in fighter.kit)]
    found = next((piece for piece in pieces if piece.key == str(item.pk)), None)
    if found is None:
        raise SubjectGone(_("The warband no longer has this item."), back=roster.address)
    return found


def _item_act(
    request: HttpRequest,
    warband: Warband,
    item: Item,
    do: Callable[[ItemForm], Any],
    show_own: Callable[[Notice | None, int], HttpResponse],
) -> HttpResponse:
    """Run an act on an item and answer on the page where it was pressed: a fighter's kit, the stash, or the item's own page."""
    form = ItemForm(request.POST)
    holder = str(item.fighter_id or "")
    tried = attempt(request, form, lambda: do(form))
    place, ref = _place(form.cleaned_data.get("at", "") if hasattr(form, "cleaned_data") else "")
    at_kit = Fighter.objects.live().filter(pk=ref, warband=warband).first() if place == "kit" else None
    if place == "roster":
        return _in_its_panel(request, warband, ref, tried, show_own, taker=form.cleaned_data.get("fighter"))
    if request.htmx and (at_kit is not None or place == "stash"):  # type: ignore[attr-defined]
        if tried.done:
            add_success_message(request, tried.event, warband=warband)
        return _on_its_page(request, warband, at_kit, tried)
    if not tried.done:
        return show_own(tried.notice, tried.status)
    add_success_message(request, tried.event, warband=warband)
    if at_kit is not None:
        return redirect(href_of("kit-buy", at_kit.pk))
    if place == "stash":
        return redirect("stash-show", warband.pk)
    return redirect(home_of(fresh_roster(warband), holder))


def _in_its_panel(
    request: HttpRequest,
    warband: Warband,
    fighter: int,
    tried: Attempt,
    show_own: Callable[[Notice | None, int], HttpResponse],
    *,
    taker: int | None,
) -> HttpResponse:
    """Answer an act on an item of the fighter that is open on the roster. `taker` is who got it."""
    if tried.done:
        add_success_message(request, tried.event, warband=warband)
    if request.htmx:  # type: ignore[attr-defined]
        others = [taker] if taker and tried.done else []
        return show_panel(request, warband, fighter, tried.notice, tried.status, others=others)
    return redirect(opened_href(warband.pk, fighter)) if tried.done else show_own(tried.notice, tried.status)


def _on_its_page(request: HttpRequest, warband: Warband, at_kit: Fighter | None, tried: Attempt) -> HttpResponse:
    if at_kit is not None:
        return show_kit(request, warband, at_kit, tried.notice, tried.status)
    return show_stash(request, warband, tried.notice, tried.status, acts=True)


def _place(at: str) -> tuple[str, int]:
    """Parse `at`, for example "kit:12" or "stash:3"; return empty values if it is invalid."""
    place, _colon, ref = at.partition(":")
    if place not in ("kit", "stash", "roster") or not (ref.isascii() and ref.isdigit() and len(ref) < 18):
        return "", 0
    return place, int(ref)
