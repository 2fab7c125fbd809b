/** Lets the keyboard scroll what is wider than its box. It is checked again whenever widths change. */
export function keepReachable(): void {
  addEventListener('resize', reach);
  document.addEventListener('toggle', reach, true);
  reach();
}

/** Lets the keyboard scroll what is wider than its box at this moment. */
export function reach(): void {
  for (const box of document.querySelectorAll<HTMLElement>('.scroll,.picture,pre')) {
    if (box.getAttribute('role') === 'region') continue;
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  }
}
