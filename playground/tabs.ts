/**
 * Tabs over one panel, by keyboard as others are: one of them is reached by Tab, and the others by arrows from there.
 *
 * @param choose is told the index of the tab that somebody chooses
 * @returns shows that a tab is the one that is chosen
 */
export function createTabs(
  list: HTMLElement,
  panel: HTMLElement,
  choose: (index: number) => void,
): (index: number) => void {
  const tabs = [...list.querySelectorAll<HTMLButtonElement>('[role=tab]')];
  for (const [i, tab] of tabs.entries()) tab.onclick = () => choose(i);
  list.onkeydown = ({ key }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step === undefined) return;
    const at = tabs.findIndex((tab) => tab === document.activeElement);
    const next = (at + step + tabs.length) % tabs.length;
    tabs[next].focus();
    choose(next);
  };
  return (index) => {
    for (const [i, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(i === index));
      tab.tabIndex = i === index ? 0 : -1;
    }
    panel.setAttribute('aria-labelledby', tabs[index].id);
  };
}
