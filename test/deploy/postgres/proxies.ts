import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The ports of a proxy and of the processes behind it, on 127.0.0.1. */
export interface ProxyPlan {
  readonly folder: string;
  readonly ports: { readonly http: number; readonly https: number };
  /** The ports of one or two processes. */
  readonly sites: readonly number[];
  readonly gateways: readonly number[];
  /** The folder with the configurations; `deploy/` by default. */
  readonly configurations?: string;
}

export interface RunningProxy {
  /** The certificate, in PEM format. */
  readonly certificate: string;
  stop(): Promise<void>;
}

export interface ProxyKind {
  readonly name: string;
  start(plan: ProxyPlan): Promise<RunningProxy>;
}

const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url));

export const nginx: ProxyKind = {
  name: 'nginx',
  async start(plan) {
    const { folder, ports } = plan;
    const { certificate, files } = await makeCertificate(folder);
    await adapt(plan, 'nginx/msgsite.conf', join(folder, 'msgsite.conf'), [
      ['listen 80;', `listen 127.0.0.1:${ports.http};`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${ports.https} ssl http2;`],
      ['/etc/ssl/certs/shop.example.pem', files.certificate],
      ['/etc/ssl/private/shop.example.key', files.key],
      ['/var/log/nginx/msgsite.log', join(folder, 'access.log')],
      ...addressesOf(plan),
    ]);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const main = [
      'daemon off;',
      'worker_processes 2;',
      process.getuid?.() === 0 ? 'user root;' : '',
      `pid ${folder}/nginx.pid;`,
      'events { worker_connections 1024; }',
      'http {',
      'types { text/html html; text/css css; text/javascript js; image/svg+xml svg; }',
      'access_log off;',
      ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
      `include ${folder}/msgsite.conf;`,
      '}',
    ];
    await writeFile(join(folder, 'nginx.conf'), main.join('\n'));
    const errors = join(folder, 'error.log');
    const argv = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', errors];
    return { certificate, stop: await startProgram('nginx', argv, {}, ports.https) };
  },
};

export const caddy: ProxyKind = {
  name: 'caddy',
  async start(plan) {
    const { folder, ports } = plan;
    const { certificate, files } = await makeCertificate(folder);
    const tls = `tls ${files.certificate} ${files.key}`;
    const file = join(folder, 'Caddyfile');
    await adapt(plan, 'caddy/Caddyfile', file, [
      ['(msgsite) {', `${options(plan)}\n(msgsite) {\n\t${tls}\n\tbind 127.0.0.1`],
      ...addressesOf(plan),
    ]);
    const argv = ['run', '--config', file, '--adapter', 'caddyfile'];
    const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    return { certificate, stop: await startProgram('caddy', argv, home, ports.https) };
  },
};

function options({ ports }: ProxyPlan): string {
  return `{\n\tadmin off\n\thttp_port ${ports.http}\n\thttps_port ${ports.https}\n\tdefault_bind 127.0.0.1\n}\n`;
}

function addressesOf({ sites, gateways }: ProxyPlan): (readonly [string, string])[] {
  const original = sites.length > 1 ? ['3001', '3002', '3101', '3102'] : ['3000', '3001'];
  const ports = [...sites, ...gateways];
  return original.map((port, index) => [`127.0.0.1:${port}`, `127.0.0.1:${ports[index]}`]);
}

/** Returns why tests with this program are skipped, or undefined if it is installed. */
export function missing(program: string): string | undefined {
  const isInstalled = (name: string) => spawnSync('which', [name]).status === 0;
  const absent = [program, 'openssl'].filter((name) => !isInstalled(name));
  return absent.length > 0 ? `${absent.join(' and ')} not installed` : undefined;
}

/** Writes a configuration in which only addresses and paths are replaced. */
async function adapt(
  { configurations = deploy }: ProxyPlan,
  source: string,
  path: string,
  changes: readonly (readonly [string, string])[],
): Promise<void> {
  let text = await readFile(join(configurations, source), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${source} does not contain ${from}.`);
    text = text.replaceAll(from, to);
  }
  await writeFile(path, text);
}

async function makeCertificate(folder: string) {
  await mkdir(folder, { recursive: true });
  const files = { certificate: join(folder, 'shop.pem'), key: join(folder, 'shop.key') };
  const { status, stderr } = spawnSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', files.key, '-out', files.certificate, '-days', '2', '-subj', '/CN=shop'],
      ...['-addext', 'subjectAltName=DNS:shop.example,DNS:pay.shop.example'],
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl failed: ${stderr}`);
  return { files, certificate: await readFile(files.certificate, 'utf8') };
}

/** Starts a program and waits until it accepts connections. Returns a function that stops it. */
async function startProgram(
  program: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  port: number,
): Promise<() => Promise<void>> {
  const child = spawn(program, argv, { env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  while (!(await accepts(port))) {
    if (!isRunning()) throw new Error(`${program} exited: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return async () => {
    if (!isRunning()) return;
    child.kill('SIGTERM');
    await once(child, 'close');
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .once('error', () => resolve(false));
  });
}

/** Returns ports that are currently free. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  });
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
