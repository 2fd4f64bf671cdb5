export type TransportName = 'udp' | 'tcp' | 'tls'

/** Where a message goes. A TLS peer must prove that it is `serverName`, to an authority of `ca` when there is one. */
export type Peer = {
  transport: TransportName
  address: string
  port: number
  serverName?: string
  ca?: string
  /** The one on which it came to us: it may be the only way back. */
  connection?: StreamConnection | null
}

/**
 * A peer, and how we look from there: what stands in Via and Contact. `sameConnection`: nobody listens at `local`, so the
 * peer has to come back on the connection we opened.
 */
export type Hop = Peer & { local: { host: string; port: number }; sameConnection?: boolean }

/** Where a message came from; a reply goes back the same way. */
export type Source = { transport: TransportName; address: string; port: number; connection: StreamConnection | null }

export type StreamConnection = { write(bytes: Buffer): Promise<void>; isOpen(): boolean }

/** `left`: whether the far end may have got it all the same. Only when it surely did not may something else be tried. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly left: boolean
  constructor(message: string, left: boolean, options?: ErrorOptions) {
    super(message, options)
    this.left = left
  }
}

export const defaultPort = (transport: TransportName): number => (transport === 'tls' ? 5061 : 5060)
