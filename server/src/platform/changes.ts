import type { Announcements } from './announcements.ts'

/** What a dashboard shows and may have to read again. */
export const topics = ['calls', 'appointments', 'slots', 'deliveries', 'hook'] as const
export type Topic = (typeof topics)[number]

export const announceChange = (told: Pick<Announcements, 'announce'>, organisationId: string, topic: Topic): void =>
  told.announce('changes', `${organisationId} ${topic}`)

/** Tells what of this organisation has changed, on any node. Returns how to stop listening. */
export const onChanges = (
  told: Pick<Announcements, 'onAnnounced'>,
  organisationId: string,
  listener: (topics: readonly Topic[]) => void,
): (() => void) =>
  told.onAnnounced('changes', (notes) => {
    const mine = topics.filter((topic) => notes.includes(`${organisationId} ${topic}`))
    if (mine.length > 0 || notes.length === 0) listener(notes.length === 0 ? topics : mine)
  })
