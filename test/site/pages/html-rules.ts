import { HtmlValidate, StaticConfigLoader } from 'html-validate';

/** The HTML standard and good practice, except what our style and the tests of the pages in a browser cover. */
const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:recommended'],
    rules: {
      // These depend on the owner's texts.
      'long-title': 'off',
      'no-trailing-whitespace': 'off',
      // Safari drops the list role of a `ul` without bullets unless it is given explicitly.
      'no-redundant-role': 'off',
      'no-inline-style': 'error',
      'doctype-style': 'off',
      'require-sri': 'off',
      'tel-non-breaking': 'off',
    },
  }),
);

/** Returns the errors of a page, one line each. */
export async function findHtmlFaults(page: string): Promise<string[]> {
  const { results } = await validator.validateString(page);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`),
  );
}
