/** Keys are left alone where somebody types, and where they mean something to the browser. */
export function isBusy(event: KeyboardEvent): boolean {
  const { tagName } = event.target as Partial<Element>;
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(tagName || '');
  return event.ctrlKey || event.altKey || event.metaKey || isTyping;
}
