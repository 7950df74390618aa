import { breakCommandsInMarkup } from '../../base/foreign-text.js';
import { entities } from '../../base/html.js';
import type { FileReport, Finding } from '../findings/finding.js';
import { harmless, plainLine, type Reporter, shownFindings, tooManyWarnings } from './reporter.js';

/**
 * Writes JUnit XML with a test suite per file. Each error is a failed test case. Other findings are in the system-out
 * of a passed test case. If there are too many warnings, a final suite fails.
 */
export function createJunitReporter(): Reporter {
  const reporter: Reporter = {
    start: () => '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="validate-screen">\n',
    file: suite,
    end: (outcome) => `${limitSuite(tooManyWarnings(outcome))}</testsuites>\n`,
  };
  return harmless(reporter, breakCommandsInMarkup);
}

function suite(report: FileReport): string {
  const { file, readable } = report;
  const findings = shownFindings(report);
  const errors = findings.filter(({ severity }) => severity === 'error');
  const advice = findings.filter(({ severity }) => severity !== 'error');
  const failed = errors.map((finding) => failedCase(file, finding, readable));
  const isSound = errors.length === 0;
  const name = isSound ? 'satisfies the screen contract' : 'warnings and notes';
  const rest = isSound || advice.length > 0 ? [testCase(file, name, systemOut(file, advice))] : [];
  const cases = [...failed, ...rest];
  const [failures, broken] = readable ? [failed.length, 0] : [0, failed.length];
  return `  <testsuite name="${attribute(file)}" tests="${cases.length}" failures="${failures}" errors="${broken}" skipped="0" time="0">
${cases.join('')}  </testsuite>\n`;
}

function failedCase(file: string, finding: Finding, readable: boolean): string {
  const { rule, message, line, column, path, location } = finding;
  const kind = readable ? 'failure' : 'error';
  const body = `${file}:${line}:${column} ${location}\n${message}`;
  return testCase(
    file,
    `${rule} at ${path || '/'}`,
    `      <${kind} message="${attribute(message)}" type="${attribute(rule)}">${content(body)}</${kind}>\n`,
  );
}

function systemOut(file: string, advice: readonly Finding[]): string {
  if (advice.length === 0) return '';
  const lines = advice.map((finding) => plainLine(file, finding));
  return `      <system-out>${content(lines.join('\n'))}</system-out>\n`;
}

function testCase(file: string, name: string, inner: string): string {
  const opening = `    <testcase name="${attribute(name)}" classname="${attribute(file)}" file="${attribute(file)}" time="0"`;
  return inner === '' ? `${opening}/>\n` : `${opening}>\n${inner}    </testcase>\n`;
}

function limitSuite(tooMany: string | undefined): string {
  if (tooMany === undefined) return '';
  const message = attribute(tooMany);
  return `  <testsuite name="--max-warnings" tests="1" failures="1" errors="0" skipped="0" time="0">
    <testcase name="has no more warnings than allowed" classname="validate-screen" time="0">
      <failure message="${message}" type="max-warnings">${message}</failure>
    </testcase>
  </testsuite>\n`;
}

const signs: Readonly<Record<string, string>> = { ...entities, '\n': '&#10;', '\t': '&#9;' };

// XML 1.0 cannot represent other control characters, lone surrogates, U+FFFE and U+FFFF.
const impossible = /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function content(text: string): string {
  return text.replace(impossible, '\ufffd').replace(/[&<>]/g, (sign) => signs[sign] ?? sign);
}

function attribute(text: string): string {
  return text.replace(impossible, '\ufffd').replace(/[&<>"\n\t]/g, (sign) => signs[sign] ?? sign);
}
