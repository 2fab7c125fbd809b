/** Saves the picture of a figure as a file. */
export function save(figure: HTMLElement): void {
  const link = document.createElement('a');
  link.download = `${document.body.dataset.name}-${figure.dataset.id}.svg`;
  const text = new XMLSerializer().serializeToString(figure.querySelector('svg')!);
  link.href = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
