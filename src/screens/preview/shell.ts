import { createHash } from 'node:crypto';
import { previewScript, previewScriptHash, previewStyle } from '#screen-assets';
import { type Html, html, trusted } from '../../base/html.js';
import { archetypes } from '../normalise/archetype.js';
import { locales } from '../render/format.js';

/** Returns the preview page, which shows settings at the top, the screen in a frame, and the findings beside it. */
export function shellPage(file: string): string {
  const title = html`${file} – preview`;
  const count = html`<button type="button" class="findings-button" id="toggle" aria-expanded="true" aria-controls="panel">Findings <span id="count">0</span></button>`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,"><style>${trusted(previewStyle)}</style></head>
<body><header><h1>${file}</h1><form>${select('Archetype', 'archetype', [['', 'as written'], ...pairs(archetypes)])}${select('Width', 'width', [['', 'as written'], ...pairs(['full', 'reading'])])}${select('Window', 'window', windows)}${select('Theme', 'theme', [['', 'system'], ...pairs(['light', 'dark'])])}${select('Locale', 'locale', pairs(locales))}</form><p id="state" role="status"></p>${count}</header>
<div class="stage"><main><iframe id="screen" title="The screen"></iframe></main><aside id="panel" aria-label="Findings"><div id="list"></div></aside></div><script>${trusted(previewScript)}</script></body></html>
`.text;
}

const windows = [
  ['', 'fit'],
  ['1280', '1280 px'],
  ['900', '900 px'],
  ['360', '360 px'],
] as const;

type Choice = readonly [value: string, text: string];

function pairs(values: readonly string[]): Choice[] {
  return values.map((value) => [value, value]);
}

function select(label: string, name: string, choices: readonly Choice[]): Html {
  const options = choices.map(([value, text]) => html`<option value="${value}">${text}</option>`);
  return html`<label><span>${label}</span><select name="${name}">${options}</select></label>`;
}

/** Returns the page's Content-Security-Policy. It allows the page's own script and style, and this server only. */
export function shellPolicy(): string {
  const styleHash = createHash('sha256').update(previewStyle).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `script-src 'sha256-${previewScriptHash}'`,
    "connect-src 'self'",
    "frame-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
