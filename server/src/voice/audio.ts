/** A line's sound: 16-bit mono at 8 kHz, in frames of 20 ms. A carrier gives this; speech is made of it. */
export const frameMs = 20
export const frameSamples = 160

/** For now: who needs a frame for longer than a second copies it. */
export type AudioFrame = {
  /** What the other side said in these 20 ms; loss is concealed, silence is zeros. */
  heard: Int16Array
  /** What we played to it meanwhile; null when nothing. A recording puts the two side by side. */
  played: Int16Array | null
}

export type AudioLink = {
  /** One every 20 ms from the answer on, also through silence and loss. Ends with the line. */
  frames: AsyncIterable<AudioFrame>
  /** Keys the other side pressed, one character each, once each. Ends with the line. */
  digits: AsyncIterable<string>
  /** Adds to what is being played. Any length. */
  write(pcm: Int16Array): void
  /** Drops what has not been played yet, at once; returns how many milliseconds that was. */
  flush(): number
  /** Milliseconds that are still to be played. */
  queuedMs(): number
  /** Presses keys, one after the other. */
  sendDigits(digits: string): void
}
