export type FliteRequest = { text: string; voice: string }

// These functions become the worker's source text, so they use nothing from outside but each other and Node itself:
// no imports, no constants of this module. That way the worker needs no file of its own, neither under vitest nor in the
// bundle. A renaming bundler renames the functions and their calls alike.

/** The little of WASI that flite asks for, in memory: node:wasi warns on the terminal, and would need real files. */
function createHost(args: readonly string[]) {
  const [success, badDescriptor, noSeek] = [0, 8, 70]
  const [folder, file] = [3, 4]
  const words = ['flite', ...args].map((word) => new TextEncoder().encode(`${word}\0`))
  const written: Uint8Array[] = []
  let memory = new WebAssembly.Memory({ initial: 0 })
  const view = () => new DataView(memory.buffer)
  const setNumber = (at: number, value: number) => {
    view().setUint32(at, value, true)
    return success
  }

  function args_get(pointers: number, buffer: number): number {
    let at = buffer
    for (const [index, word] of words.entries()) {
      setNumber(pointers + 4 * index, at)
      new Uint8Array(memory.buffer).set(word, at)
      at += word.length
    }
    return success
  }

  function fd_write(descriptor: number, vectors: number, count: number, total: number): number {
    let sum = 0
    for (let at = vectors; at < vectors + 8 * count; at += 8) {
      const [start, size] = [view().getUint32(at, true), view().getUint32(at + 4, true)]
      if (descriptor === file) written.push(new Uint8Array(memory.buffer.slice(start, start + size)))
      sum += size
    }
    return setNumber(total, sum)
  }

  function fd_fdstat_get(descriptor: number, at: number): number {
    if (descriptor > file) return badDescriptor
    new Uint8Array(memory.buffer, at, 24).fill(0)
    view().setUint8(at, descriptor === folder ? 3 : 4)
    view().setBigUint64(at + 8, 0xffff_ffff_ffff_ffffn, true)
    return success
  }

  const functions = {
    args_get,
    args_sizes_get: (count: number, size: number) =>
      setNumber(count, words.length) ||
      setNumber(
        size,
        words.reduce((sum, word) => sum + word.length, 0),
      ),
    clock_time_get: (_clock: number, _precision: bigint, at: number) => setNumber(at, 0) || setNumber(at + 4, 0),
    fd_close: () => success,
    fd_fdstat_get,
    fd_fdstat_set_flags: () => success,
    fd_prestat_get: (descriptor: number, at: number) =>
      descriptor === folder ? setNumber(at, 0) || setNumber(at + 4, 1) : badDescriptor,
    fd_prestat_dir_name: (_descriptor: number, at: number) => setNumber(at, '/'.charCodeAt(0)),
    fd_read: () => badDescriptor,
    fd_seek: () => noSeek,
    fd_write,
    path_open: (...[, , , , , , , , opened]: number[]) => setNumber(opened ?? 0, file),
    proc_exit: (code: number) => {
      throw new Error(`flite ended with code ${code}`)
    },
  }
  return {
    functions,
    written,
    use: (own: WebAssembly.Memory) => {
      memory = own
    },
  }
}

/** The whole WAV file. A fresh instance each time: the program is made to run once. */
function synthesise(module: WebAssembly.Module, { text, voice }: FliteRequest): Uint8Array {
  const host = createHost(['-voice', voice, '-t', text, '-o', '/wav'])
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: host.functions })
  host.use(exports.memory as WebAssembly.Memory)
  ;(exports._start as () => void)()
  return Buffer.concat(host.written)
}

function serve(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const module = new WebAssembly.Module(readFileSync(workerData.file))
  parentPort?.on('message', (request: FliteRequest) => parentPort.postMessage(synthesise(module, request)))
}

export const fliteWorkerCode = [createHost, synthesise, `;(${serve})()`].join('\n')
