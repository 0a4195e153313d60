/* An hour in words: "21:40" today, "Fri 21:40" this week, "14 Nov 21:40" before that. */
const DAY = 24 * 60 * 60 * 1000;
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short" });
const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

export function whenWords(time) {
  const then = new Date(time);
  const hour = clock.format(then);
  if (then.toDateString() === new Date().toDateString()) return hour;
  return `${(Date.now() - then < 6 * DAY ? weekday : date).format(then)} ${hour}`;
}
