/** Must this key be left alone? Yes if somebody is typing, or if the browser has a meaning for it. */
export function isBusy(event: KeyboardEvent): boolean {
  const { tagName } = event.target as Partial<Element>;
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(tagName || '');
  return event.ctrlKey || event.altKey || event.metaKey || isTyping;
}
