import { h } from '../shared/dom.ts';

/** Why there are no people here, and how to get them: without a token, anybody could take over accounts. */
export function noToken() {
  return h(
    'div',
    { class: 'notice' },
    h('div', { class: 'mark', 'aria-hidden': 'true' }),
    h('h2', { text: 'This needs an admin token' }),
    h('p', {
      text: 'This site has none, so whoever opens this page could take over accounts. Make a token, set it as MSGSITE_ADMIN_TOKEN and start the server again; the page then asks for it.',
    }),
    h(
      'pre',
      { class: 'shell', tabindex: '0', 'aria-label': 'Commands' },
      h('code', { text: commands }),
    ),
    h(
      'p',
      {},
      'On the machine itself, ',
      h('code', { text: 'msgsite users' }),
      ' does the same; where the data is in files, while the server is stopped.',
    ),
  );
}

const commands = `export MSGSITE_ADMIN_TOKEN=$(openssl rand -hex 24)
echo "$MSGSITE_ADMIN_TOKEN"
msgsite serve`;
