/** Where recordings and transcripts lie: a folder, or any S3-compatible store. */
export type StoredObject = { size: number; contentType: string; body: AsyncIterable<Uint8Array> }

export type Storage = {
  /** Whole or not at all: a reader never sees half an object. Replaces what was there. */
  put(key: string, content: Uint8Array, contentType: string): Promise<void>
  /** `range` is inclusive, in bytes. Null when there is no such object. `size` is always the whole object's. */
  get(key: string, range?: { start: number; end: number }): Promise<StoredObject | null>
  /** Safe to repeat. */
  remove(key: string): Promise<void>
}

/** Something behind a media link, made when it is first asked for. */
export type MediaObject = {
  size: number
  contentType: string
  /** Both ends inclusive. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}
export type MediaSource = { open(callId: string): Promise<MediaObject | null> }
