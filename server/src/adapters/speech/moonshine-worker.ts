export type MoonshineRequest = { samples: Int16Array }
export type MoonshineFiles = { runtime: string; tokenizer: string; encoder: string; decoder: string }

// Like flite-worker.ts: these functions become the worker's source text and use nothing from outside but each other.

type Tensor = { data: ArrayLike<number> }
type Session = { run(feeds: Record<string, unknown>): Promise<Record<string, Tensor>> }
type Runtime = {
  Tensor: new (type: string, data: unknown, shape: number[]) => Tensor
  InferenceSession: { create(file: string, options: object): Promise<Session> }
}
type Model = { runtime: Runtime; encoder: Session; decoder: Session; decode: (tokens: number[]) => string }

/** 8 kHz to 16 kHz and to ±1: every second sample is what a line would have had between two of its own. */
function prepare(samples: Int16Array, gain: number): Float32Array {
  const half = 12
  const taps = Array.from({ length: 2 * half }, (_, tap) => {
    const distance = tap - half + 0.5
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / half)
    return (Math.sin(Math.PI * distance) / (Math.PI * distance)) * window
  })
  const scale = gain / 32_768
  const sound = new Float32Array(2 * samples.length)
  for (let at = 0; at < samples.length; at += 1) {
    sound[2 * at] = (samples[at] as number) * scale
    let between = 0
    for (let tap = 0; tap < taps.length; tap += 1)
      between += (samples[at + tap - half + 1] ?? 0) * (taps[tap] as number)
    sound[2 * at + 1] = between * scale
  }
  return sound
}

/** The model loses the beginning when silence comes first. */
function trim(samples: Int16Array): Int16Array {
  const frame = 160
  const levels: number[] = []
  for (let at = 0; at + frame <= samples.length; at += frame) {
    let energy = 0
    for (let index = at; index < at + frame; index += 1) energy += (samples[index] as number) ** 2
    levels.push(Math.sqrt(energy / frame))
  }
  const loudest = Math.max(0, ...levels)
  if (loudest < 40) return samples.subarray(0, 0)
  const isHeard = (level: number) => level > Math.max(30, loudest / 20)
  const first = Math.max(0, levels.findIndex(isHeard) - 3)
  const last = Math.min(levels.length, levels.findLastIndex(isHeard) + 8)
  return samples.subarray(first * frame, last * frame)
}

async function generate({ runtime, encoder, decoder, decode }: Model, sound: Float32Array): Promise<string> {
  const [layers, heads, width, start, end] = [6, 8, 36, 1, 2]
  const { Tensor } = runtime
  const { last_hidden_state: hidden } = await encoder.run({
    input_values: new Tensor('float32', sound, [1, sound.length]),
  })
  const past: Record<string, Tensor> = {}
  for (let layer = 0; layer < layers; layer += 1) {
    for (const part of ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']) {
      past[`past_key_values.${layer}.${part}`] = new Tensor('float32', new Float32Array(0), [0, heads, 1, width])
    }
  }
  const tokens: number[] = []
  // Nobody says more than six or seven tokens a second.
  const most = Math.ceil((sound.length / 16_000) * 6.5) + 2
  for (let next = start; tokens.length < most; ) {
    const feeds = {
      input_ids: new Tensor('int64', BigInt64Array.of(BigInt(next)), [1, 1]),
      encoder_hidden_states: hidden,
      use_cache_branch: new Tensor('bool', [tokens.length > 0], [1]),
      ...past,
    }
    const answer = await decoder.run(feeds)
    const { data } = answer.logits as Tensor
    next = 0
    for (let token = 1; token < data.length; token += 1) {
      if ((data[token] as number) > (data[next] as number)) next = token
    }
    if (next === end) break
    for (const name of Object.keys(past)) {
      const present = answer[name.replace('past_key_values', 'present')]
      // What the encoder gave stays the same after the first step.
      if (present && (tokens.length === 0 || name.includes('decoder'))) past[name] = present
    }
    tokens.push(next)
  }
  return decode([start, ...tokens])
    .replace(/<\/?s>/g, '')
    .trim()
}

/** Louder, then with a little silence around it: what the model hears nothing in, it often understands the second time. */
async function recognise(model: Model, samples: Int16Array): Promise<string> {
  const spoken = trim(samples)
  if (spoken.length < 8 * 80) return ''
  let loudest = 1
  for (let at = 0; at < spoken.length; at += 1) loudest = Math.max(loudest, Math.abs(spoken[at] as number))
  const gain = Math.min(20, (0.7 * 32_768) / loudest)
  const text = await generate(model, prepare(spoken, gain))
  if (/[a-z0-9]/i.test(text)) return text
  const padded = new Int16Array(spoken.length + 8 * 600)
  padded.set(spoken, 8 * 100)
  const again = await generate(model, prepare(padded, gain))
  return /[a-z0-9]/i.test(again) ? again : ''
}

/** As text: a test runner would put its own import in place of Node's. */
declare function importModule(file: string): Promise<unknown>
const importModuleCode = 'const importModule = (file) => import(file)'

async function load({ runtime: file, tokenizer, encoder, decoder }: MoonshineFiles): Promise<Model> {
  const { createRequire } = process.getBuiltinModule('node:module')
  const runtime = createRequire(file)(file) as Runtime
  const { default: words } = (await importModule(tokenizer)) as { default: { decode(tokens: number[]): string } }
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential', logSeverityLevel: 3 }
  return {
    runtime,
    encoder: await runtime.InferenceSession.create(encoder, options),
    decoder: await runtime.InferenceSession.create(decoder, options),
    decode: (tokens) => words.decode(tokens),
  }
}

function serve(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
  let model: Promise<Model> | undefined
  parentPort?.on('message', async ({ samples }: MoonshineRequest) => {
    model ??= load(workerData)
    parentPort.postMessage(await recognise(await model, samples))
  })
}

export const moonshineWorkerCode = [importModuleCode, prepare, trim, generate, recognise, load, `;(${serve})()`].join(
  '\n',
)
