/** Opens everything that is folded away before a page is printed, which style sheets cannot do in all browsers. */
export function unfoldForPrint(): void {
  let closed: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const details of closed) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of closed) details.open = false;
    closed = [];
  });
}
