// The same request as a command: what the dashboard does, a program can do.
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

interface CurlRequest {
  method: string
  /** Of the public API: /v1/… */
  path: string
  body?: unknown
}

export function curlOf({ method, path, body }: CurlRequest, origin = window.location.origin): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${origin}${path}`)}`,
    `-H 'x-api-key: YOUR_KEY'`,
  ]
  if (body !== undefined) lines.push(`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(body))}`)
  return lines.join(' \\\n  ')
}
