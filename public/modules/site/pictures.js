/** The first letter of a product's name takes the place of a picture that does not load. */
export function replaceBrokenPictures() {
  // The event of an image does not bubble, but is seen on its way down.
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

/** @param {HTMLImageElement} image */
function replace(image) {
  const frame = image.closest('.picture');
  if (!(frame instanceof HTMLElement) || !frame.dataset.letter) return;
  const letter = document.createElement('span');
  letter.className = 'monogram';
  letter.setAttribute('aria-hidden', 'true');
  letter.textContent = frame.dataset.letter;
  frame.classList.add('empty');
  frame.replaceChildren(letter);
}
