import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

let code: Promise<string> | undefined

/**
 * The worker's program as text. It lies beside the bundle (scripts/prepare.mjs); where this file runs from source, under
 * the test runner, there is no bundle, and it is put together here.
 */
export function workerCode(): Promise<string> {
  code ??= import.meta.url.endsWith('.ts')
    ? bundleFromSource()
    : readFile(new URL('media-worker.cjs', import.meta.url), 'utf8')
  return code
}

async function bundleFromSource(): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('worker.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  })
  return outputFiles[0]?.text ?? ''
}
