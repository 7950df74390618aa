import type { SlideDefinition } from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import type { RenderContext } from '../context.js';
import { unknownIcon } from './navigation.js';

/** The slides of the first visit; without any in the definition they are made from the product. */
export function onboardingDialog(context: RenderContext): Html {
  const { screen, words, ownLang, sprite, styles } = context;
  const slides = screen.onboarding ?? defaultSlides(context);
  if (slides.length === 0) return html``;
  styles.add('onboarding');
  const lang = screen.onboarding === undefined ? ownLang : '';
  const items = slides.map((slide, index) => slideItem(context, slide, index));
  return html`<dialog class="dialog onboarding" id="onboarding" aria-labelledby="slide-0"><div class="slides"${lang}>${items}</div><form method="dialog" class="actions"${ownLang}><span class="dots" aria-hidden="true">${slides.map(() => html`<i></i>`)}</span><span class="slide-count vh" role="status"></span><button type="button" class="button" data-slide="-1">${words.back}</button><button type="button" class="button primary" data-slide="1">${words.next}</button><button class="button primary" value="done">${words.start}</button><button class="button icon-button quiet close" aria-label="${words.close}">${sprite.icon('close')}</button></form></dialog>`;
}

function slideItem(
  context: RenderContext,
  { icon, title, text }: SlideDefinition,
  index: number,
): Html {
  return html`<section class="slide"${context.at('/onboarding', index)}><span class="slide-icon">${context.sprite.icon(icon ?? 'sparkle')}</span>${unknownIcon(context, icon)}<h2 id="slide-${index}">${title}</h2><p>${text}</p></section>`;
}

function defaultSlides({ screen, words, say }: RenderContext): readonly SlideDefinition[] {
  const { product, scenario } = screen;
  const text = product.purpose || say(words.welcomeText, { entity: product.entity });
  const slides: SlideDefinition[] = [
    { icon: 'star', title: say(words.welcome, { name: product.name }), text },
    { icon: 'list', title: words.welcomeList, text: words.welcomeListText },
  ];
  if (scenario) {
    const { headline, control } = scenario;
    slides.push({
      icon: 'check',
      title: headline || control,
      text: say(words.welcomeActText, { control }),
    });
  }
  return slides;
}
