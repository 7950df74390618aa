/** Replaces every picture that does not load by the first letter of its product's name. */
export function replaceBrokenPictures(): void {
  // The event of an image does not bubble, so it is caught on its way down.
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLImageElement) replace(target);
    },
    true,
  );
  for (const image of document.images) {
    if (image.complete && image.naturalWidth === 0 && image.currentSrc) replace(image);
  }
}

function replace(image: HTMLImageElement): void {
  const frame = image.closest<HTMLElement>('.picture');
  if (!frame?.dataset.letter) return;
  const letter = document.createElement('span');
  letter.className = 'monogram';
  letter.setAttribute('aria-hidden', 'true');
  letter.textContent = frame.dataset.letter;
  frame.classList.add('empty');
  frame.replaceChildren(letter);
}
