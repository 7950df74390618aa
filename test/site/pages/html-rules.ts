import { HtmlValidate, StaticConfigLoader } from 'html-validate';

/** Rules for valid HTML. Rules that conflict with our style or are covered by browser tests are disabled. */
const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:recommended'],
    rules: {
      // The result depends on the owner's texts.
      'long-title': 'off',
      'no-trailing-whitespace': 'off',
      // Safari removes the list role of a `ul` without bullets unless the role is explicit.
      'no-redundant-role': 'off',
      'no-inline-style': 'error',
      'doctype-style': 'off',
      'require-sri': 'off',
      'tel-non-breaking': 'off',
    },
  }),
);

/** Returns the errors in a page, one per line. */
export async function findHtmlFaults(page: string): Promise<string[]> {
  const { results } = await validator.validateString(page);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`),
  );
}
