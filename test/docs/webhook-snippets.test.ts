import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startReceiver } from '../webhooks/receiver.js';
import { root } from './machine.js';
import { stepsOf } from './markdown.js';

const examples = join(root, 'docs/examples/verify-webhook');

/** A received request with the expected result for each signature. */
interface Case {
  readonly name: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  /** `error` if the snippet must throw. */
  readonly standard: boolean | 'error';
  readonly ofBody: boolean | 'error';
  /** True if the body is parsed and serialized again before it is passed to the snippet. */
  readonly isReserialized?: boolean;
}

/** A language, with a program that reads cases from stdin, runs the snippet and prints the results. */
interface Language {
  readonly file: string;
  readonly fence: string;
  readonly version: readonly string[];
  readonly run: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

const languages: Readonly<Record<string, Language>> = {
  'Node.js': {
    file: 'verify.mjs',
    fence: 'js',
    version: [process.execPath, '--version'],
    run: [process.execPath, 'judge.mjs'],
    files: {
      'judge.mjs': `import { readFileSync } from 'node:fs';
import { verifyBody, verifyStandard } from './verify.mjs';
const judge = (verify, { body, headers, secret, isReserialized }) => {
  try {
    return verify(Buffer.from(isReserialized ? JSON.stringify(JSON.parse(body)) : body), headers, secret);
  } catch { return 'error'; }
};
const cases = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(cases.map((each) => [judge(verifyStandard, each), judge(verifyBody, each)])));
`,
    },
  },
  Python: {
    file: 'verify.py',
    fence: 'python',
    version: ['python3', '--version'],
    run: ['python3', '-B', 'judge.py'],
    files: {
      'judge.py': `import json, sys
from verify import verify_body, verify_standard
def judge(verify, each):
    body = json.dumps(json.loads(each["body"])) if each.get("isReserialized") else each["body"]
    try:
        return verify(body.encode(), each["headers"], each["secret"])
    except ValueError:
        return "error"
print(json.dumps([[judge(verify_standard, each), judge(verify_body, each)] for each in json.load(sys.stdin)]))
`,
    },
  },
  PHP: {
    file: 'verify.php',
    fence: 'php',
    version: ['php', '--version'],
    run: ['php', '-d', 'display_errors=stderr', 'judge.php'],
    files: {
      'judge.php': `<?php
require 'verify.php';
function judge(string $verify, array $each) {
    $body = ($each['isReserialized'] ?? false) ? json_encode(json_decode($each['body'])) : $each['body'];
    try {
        return $verify($body, $each['headers'], $each['secret']);
    } catch (InvalidArgumentException) {
        return 'error';
    }
}
$cases = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(array_map(fn ($each) => [judge('verify_standard', $each), judge('verify_body', $each)], $cases));
`,
    },
  },
  Go: {
    file: 'verify.go',
    fence: 'go',
    version: ['go', 'version'],
    run: ['go', 'run', './judge'],
    files: {
      'go.mod': 'module webhook\n\ngo 1.19\n',
      'judge/main.go': `package main

import (
	"encoding/json"
	"net/http"
	"os"
	"time"
	"webhook"
)

type testCase struct {
	Body, Secret   string
	Headers        map[string]string
	IsReserialized bool
}

func result(is bool, err error) any {
	if err != nil {
		return "error"
	}
	return is
}

func main() {
	var cases []testCase
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	results := [][]any{}
	for _, each := range cases {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		body := []byte(each.Body)
		if each.IsReserialized {
			var parsed any
			if err := json.Unmarshal(body, &parsed); err != nil {
				panic(err)
			}
			body, _ = json.Marshal(parsed)
		}
		results = append(results, []any{
			result(webhook.VerifyStandard(body, header, each.Secret, time.Now())),
			result(webhook.VerifyBody(body, header, each.Secret)),
		})
	}
	json.NewEncoder(os.Stdout).Encode(results)
}
`,
    },
  },
};

const key = Buffer.from('a key of thirty-two bytes, or so');
const secret = `whsec_${key.toString('base64')}`;

const standardOf = (by: Buffer, id: string, timestamp: string, body: string) =>
  `v1,${createHmac('sha256', by).update(`${id}.${timestamp}.${body}`).digest('base64')}`;

/** Signs a request as the documentation describes. */
function signed(body: string, secondsAgo = 0) {
  const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo);
  return {
    body,
    secret,
    headers: {
      'x-webhook-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      'webhook-id': 'evt_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': standardOf(key, 'evt_1', timestamp, body),
    },
  };
}

/** A request that msgsite sends. */
async function realRequest() {
  const receiver = await startReceiver();
  const { exitCode, stderr } = await runCli(
    ['webhooks', 'trigger', 'payment.success', '--url', receiver.url],
    { env: { MSGSITE_WEBHOOK_SECRET: secret }, cwd: await makeTempFolder() },
  );
  expect(exitCode, stderr).toBe(0);
  const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
  return { body, headers: headers as Record<string, string>, secret };
}

async function cases(): Promise<Case[]> {
  const real = await realRequest();
  // Languages serialize these differently: non-ASCII text, slashes, order, spaces, long numbers.
  const fresh = signed('{"b": "Оплачено ₸", "a": "https://a/", "id": 12345678901234567890}');
  const { headers } = fresh;
  const signature = headers['webhook-signature'];
  const other = standardOf(Buffer.from('another key'), 'evt_1', headers['webhook-timestamp'], '{}');
  const right = { standard: true, ofBody: true } as const;
  const wrong = { standard: false, ofBody: false } as const;
  const standardIs = (standard: boolean, changes: Readonly<Record<string, string>>): Case => ({
    ...fresh,
    headers: { ...headers, ...changes },
    name: JSON.stringify(changes),
    standard,
    ofBody: true,
  });
  return [
    { ...real, ...right, name: 'a request from msgsite' },
    { ...fresh, ...right, name: 'a request that is signed as documented' },
    { ...fresh, ...wrong, name: 'a re-serialized body', isReserialized: true },
    { ...fresh, ...wrong, name: 'a changed body', body: `${fresh.body} ` },
    { ...fresh, ...wrong, name: 'a wrong secret', secret: 'whsec_b3RoZXI=' },
    { ...fresh, ...wrong, name: 'no headers', headers: {} },
    { ...fresh, name: 'no secret', secret: '', standard: 'error', ofBody: 'error' },
    {
      ...fresh,
      name: 'a secret that is only a prefix',
      secret: 'whsec_',
      standard: 'error',
      ofBody: false,
    },
    { ...signed('{}', 290), ...right, name: 'a request from nearly five minutes ago' },
    {
      ...signed('{}', 310),
      name: 'a request from more than five minutes ago',
      standard: false,
      ofBody: true,
    },
    {
      ...signed('{}', -310),
      name: 'a request from more than five minutes in the future',
      standard: false,
      ofBody: true,
    },
    standardIs(true, { 'webhook-signature': `${other} ${signature}` }),
    standardIs(true, { 'webhook-signature': `${signature} ${other}` }),
    standardIs(false, { 'webhook-signature': `${other} v1a,${signature.slice(3)}` }),
    standardIs(false, { 'webhook-signature': '' }),
    standardIs(false, { 'webhook-signature': `${signature}é` }),
    standardIs(false, { 'webhook-id': 'evt_2' }),
    standardIs(false, { 'webhook-id': '' }),
    standardIs(false, { 'webhook-timestamp': 'now' }),
    standardIs(false, { 'webhook-timestamp': '9'.repeat(5_000) }),
    {
      ...fresh,
      name: 'a truncated body signature',
      headers: { ...headers, 'x-webhook-signature': headers['x-webhook-signature'].slice(0, -1) },
      standard: true,
      ofBody: false,
    },
  ];
}

/** Runs a program without a network and without state from earlier runs. Returns its output for `input`. */
async function run([program = '', ...words]: readonly string[], cwd: string, input: string) {
  const child = spawn(program, words, {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: cwd,
      GOCACHE: join(cwd, '.go/cache'),
      GOPATH: join(cwd, '.go/path'),
      GOPROXY: 'off',
      GOTOOLCHAIN: 'local',
      GOFLAGS: '-mod=mod -modcacherw',
    },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  child.stdin.end(input);
  const [status] = await once(child, 'close');
  return { status, output, errors };
}

describe.each(Object.entries(languages))(
  'the webhook verification example in %s',
  (name, language) => {
    it('is identical on the page and in docs/examples', async () => {
      const page = stepsOf(await readFile(join(root, 'docs/payments/webhooks.md'), 'utf8'));
      const blocks = page.flatMap((step) =>
        step.kind === 'block' && step.language === language.fence ? [`${step.text}\n`] : [],
      );
      expect(blocks).toEqual([await readFile(join(examples, language.file), 'utf8')]);
    });

    it('accepts only requests with valid signatures', async (context) => {
      const [program = '', ...words] = language.version;
      const installed = spawnSync(program, words).status === 0;
      context.skip(!installed, `${name} is not installed on this machine`);
      const folder = await makeTempFolder();
      await cp(join(examples, language.file), join(folder, language.file));
      await mkdir(join(folder, 'judge'));
      for (const [file, text] of Object.entries(language.files)) {
        await writeFile(join(folder, file), text);
      }
      const all = await cases();
      const { status, output, errors } = await run(language.run, folder, JSON.stringify(all));
      expect({ status, errors }).toEqual({ status: 0, errors: '' });
      const judged = JSON.parse(output) as [unknown, unknown][];
      expect(all.map((each, index) => [each.name, ...(judged[index] ?? [])])).toEqual(
        all.map((each) => [each.name, each.standard, each.ofBody]),
      );
    });
  },
);
