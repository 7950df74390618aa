import { HtmlValidate, StaticConfigLoader } from 'html-validate';

/** The HTML standard and good practice, but for what our style and the tests of the pages in a browser hold otherwise. */
const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:recommended'],
    rules: {
      // Of the owner's texts.
      'long-title': 'off',
      'no-trailing-whitespace': 'off',
      // Safari drops the list of a `ul` without bullets, unless it has its role.
      'no-redundant-role': 'off',
      'no-inline-style': 'error',
      'doctype-style': 'off',
      'require-sri': 'off',
      'tel-non-breaking': 'off',
    },
  }),
);

/** What is wrong with a page, one line each. */
export async function findHtmlFaults(page: string): Promise<string[]> {
  const { results } = await validator.validateString(page);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`),
  );
}
