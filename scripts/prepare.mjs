// What `npm start`, `npm test` and `parley` do first: install what is missing, build what is stale. Only Node's own
// modules up here, because nothing may be installed yet.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import zlib from 'node:zlib'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const stampOf = (name) => path.join(root, 'node_modules', `.parley-${name}`)
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** Standard output belongs to the command that comes after (parley apply prints JSON there). */
export function run(command, args, { quiet = false, env = {} } = {}) {
  const windows = process.platform === 'win32'
  const result = spawnSync(command, args, {
    cwd: root,
    shell: windows,
    encoding: 'utf8',
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2],
    env: { ...process.env, ...env },
  })
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`
  if (result.status === 0) return output
  process.stderr.write(output)
  process.stderr.write(`\n${command} ${args.join(' ')} failed${result.error ? `: ${result.error.message}` : ''}.\n`)
  process.exit(result.status || 1)
}

function isInstalled(wanted) {
  if (read(stampOf('installed')) === wanted) return true
  // Somebody ran npm ci or npm install by hand: what npm noted then is not older than the lock file.
  const noted = path.join(root, 'node_modules/.package-lock.json')
  return existsSync(noted) && statSync(noted).mtimeMs >= statSync(path.join(root, 'package-lock.json')).mtimeMs
}

export function install() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    process.stderr.write(`Parley needs Node 20.19 or newer; this is ${process.versions.node}.\n`)
    process.exit(1)
  }
  const wanted = createHash('sha256')
    .update(read(path.join(root, 'package-lock.json')))
    .digest('hex')
  if (!isInstalled(wanted)) {
    process.stderr.write('Installing packages…\n')
    run('npm', ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional', '--loglevel=error'])
  }
  if (read(stampOf('installed')) !== wanted) note('installed', wanted)
}

/** A user who may run but not write the checkout just prepares again next time. */
function note(name, text) {
  try {
    writeFileSync(stampOf(name), text)
  } catch {}
}

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory() && !/^(node_modules|dist(-.*)?)$/.test(entry.name)) yield* filesBelow(file)
    else if (entry.isFile()) yield file
  }
}

function digestOf(places) {
  const digest = createHash('sha256')
  for (const place of places) {
    const full = path.join(root, place)
    for (const file of statSync(full).isDirectory() ? [...filesBelow(full)].sort() : [full]) {
      digest.update(path.relative(root, file)).update('\0').update(readFileSync(file))
    }
  }
  return digest.digest('hex')
}

const products = {
  server: {
    from: ['contract/src', 'server/src', 'package-lock.json', 'scripts/prepare.mjs'],
    to: 'server/dist/parley.mjs',
    make: async () => {
      // A worker thread's program, which the other reads as text: before it, because only that one is asked for.
      await bundle('server/src/adapters/rtp/worker.ts', 'server/dist/media-worker.cjs')
      await bundle('server/src/cli/parley.ts', 'server/dist/parley.mjs')
    },
  },
  dashboard: {
    from: ['contract/src', 'dashboard', 'package-lock.json', 'scripts/prepare.mjs'],
    to: 'dashboard/dist/index.html',
    make: () => {
      const draft = path.join(root, `dashboard/dist-${process.pid}`)
      run(
        'npx',
        ['--no-install', 'vite', 'build', 'dashboard', '--outDir', draft, '--emptyOutDir', '--logLevel', 'error'],
        {
          quiet: true,
        },
      )
      compressBelow(draft)
      putInPlace(draft, path.join(root, 'dashboard/dist'))
    },
  },
}

/** Several commands may find the same thing stale at once: each builds aside and puts its work in place whole. */
export async function build(names = Object.keys(products)) {
  for (const name of names) {
    const product = products[name]
    const wanted = digestOf(product.from)
    if (existsSync(path.join(root, product.to)) && read(stampOf(`built-${name}`)) === wanted) continue
    process.stderr.write(`Building the ${name}…\n`)
    await product.make()
    note(`built-${name}`, wanted)
  }
}

/** The old folder steps aside first; whoever loses a race keeps the winner's, which is as good. */
function putInPlace(draft, folder) {
  const old = `${draft}-old`
  try {
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
    rmSync(old, { recursive: true, force: true })
  }
}

/** Packed once here instead of at every request. */
function compressBelow(folder) {
  for (const file of [...filesBelow(folder)].filter((name) => /\.(js|css|html|svg)$/.test(name))) {
    const content = readFileSync(file)
    writeFileSync(`${file}.br`, zlib.brotliCompressSync(content))
    writeFileSync(`${file}.gz`, zlib.gzipSync(content, { level: 9 }))
  }
}

// Made of hundreds of small files, which take longer to find than to read: these go into the bundle.
const packed = ['typebox', 'uuid', 'temporal-polyfill']

/** Our own code in one file; other npm packages stay where npm put them. */
export async function bundle(entry, outfile) {
  const esbuild = await import('esbuild')
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    read(path.join(root, 'server/package.json')),
  )
  // The last are for benchmarks, which are bundled like the server.
  const foreign = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).filter(
    (name) => !name.startsWith('@parley/') && !packed.includes(name),
  )
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [{ in: entry, out: path.parse(outfile).name }],
    outdir: path.dirname(outfile),
    outExtension: { '.js': path.extname(outfile) },
    // What only some commands need is loaded only by them. Chunks are named by their content, so that a program that
    // runs while another is built still finds its own.
    splitting: !outfile.endsWith('.cjs'),
    chunkNames: 'chunk-[hash]',
    write: false,
    bundle: true,
    platform: 'node',
    format: outfile.endsWith('.cjs') ? 'cjs' : 'esm',
    target: 'node20',
    sourcemap: 'linked',
    external: ['esbuild', ...foreign.flatMap((name) => [name, `${name}/*`])],
    logLevel: 'warning',
  })
  mkdirSync(path.dirname(path.join(root, outfile)), { recursive: true })
  // The program last: it is there only when all of it is.
  const program = path.join(root, outfile)
  for (const file of outputFiles.toSorted((a, b) => Number(a.path === program) - Number(b.path === program))) {
    const draft = `${file.path}.${process.pid}`
    writeFileSync(draft, file.contents)
    renameSync(draft, file.path)
  }
}
