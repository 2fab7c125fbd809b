/** Opens the section that the address points to, now and whenever the address changes. */
export function unfoldTarget(): void {
  addEventListener('hashchange', unfold);
  if (location.hash.length > 1) unfold();
}

function unfold(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  let details = target.closest('details');
  while (details !== null) {
    details.open = true;
    details = details.parentElement!.closest('details');
  }
  target.scrollIntoView();
}
