/** Pressed keys belong together until a pause, or until the hash key closes them. */
export type Keys = { pressed: string; firstMs: number; lastMs: number }

export const keysPauseMs = 2_000
const mostKeys = 32

export function pressKey(keys: Keys | null, key: string, nowMs: number): Keys {
  return { pressed: ((keys?.pressed ?? '') + key).slice(0, mostKeys), firstMs: keys?.firstMs ?? nowMs, lastMs: nowMs }
}

export const keysAreDone = (keys: Keys, nowMs: number): boolean =>
  keys.pressed.endsWith('#') || keys.pressed.length >= mostKeys || nowMs - keys.lastMs >= keysPauseMs

/** As the callee would have said it: `1 2 3`. A closing hash is no part of it. */
export const spokenKeys = ({ pressed }: Keys): string => [...(pressed.replace(/#$/, '') || pressed)].join(' ')
