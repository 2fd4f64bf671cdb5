import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from './cursor.ts'

/** The end of every list (decisions 1): has_more and next_cursor beside data, and the same as a Link header. */
export function pageEnd(
  page: Page<unknown>,
  baseUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): { has_more: boolean; next_cursor: string | null } {
  if (page.nextCursor !== null) {
    const next = new URL(request.url, baseUrl)
    next.searchParams.set('cursor', page.nextCursor)
    reply.header('link', `<${baseUrl}${next.pathname}${next.search}>; rel="next"`)
  }
  return { has_more: page.nextCursor !== null, next_cursor: page.nextCursor }
}
