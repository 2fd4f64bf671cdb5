import { Button, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { Call } from '@parley/contract/calls'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/icons.tsx'
import { clockText, isLive, whoText } from '../Calls/call-words.ts'
import { lineAt, partsOf, speakerOf, transcriptText } from './transcript.ts'
import type { Player } from './use-player.ts'

interface TranscriptProps {
  call: Call
  player: Player
  canSeek: boolean
}

export function Transcript({ call, player, canSeek }: TranscriptProps) {
  const lines = call.call_transcript ?? []
  const [words, setWords] = useState('')
  const { copy, copied } = useClipboard({ timeout: 2000 })
  const current = canSeek && player.hasBegun ? lineAt(lines, player.seconds) : -1
  const nameOf = (speaker: string) => speakerOf(speaker, call.agent_name, whoText(call))
  const parts = lines.map(({ text }) => partsOf(text, words))
  const found = parts.flat().filter((part) => part.isMatch).length
  const list = useFollow(current, player.isPlaying, lines.length, isLive(call.status))
  return (
    <>
      <div className="transcript-tools">
        <TextInput
          size="xs"
          aria-label="Search in the transcript"
          placeholder="Search in the transcript"
          leftSection={<Icon name="search" size={14} />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <span className="dimmed small" role="status">
          {words.trim() !== '' && (found === 1 ? 'Found once' : `Found ${found} times`)}
        </span>
        {navigator.clipboard && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
            onClick={() => copy(transcriptText(lines, nameOf, clockText))}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </div>
      <ol className="transcript" ref={list} aria-label="Transcript" aria-live={isLive(call.status) ? 'polite' : 'off'}>
        {lines.map((line, at) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end
            key={at}
            className="line"
            data-speaker={line.speaker}
            aria-current={at === current ? 'true' : undefined}
          >
            <div className="line-head">
              <strong>{nameOf(line.speaker)}</strong>
              {canSeek ? (
                <button type="button" className="line-at" onClick={() => player.playFrom(line.timestamp)}>
                  <span className="sr-only">Play from </span>
                  {clockText(line.timestamp)}
                </button>
              ) : (
                <span className="dimmed small">{clockText(line.timestamp)}</span>
              )}
            </div>
            {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the time is the button */}
            <div className="line-text" onClick={() => canSeek && !marksText() && player.playFrom(line.timestamp)}>
              {parts[at]?.map((part, index) =>
                // biome-ignore lint/suspicious/noArrayIndexKey: made anew from the text each time
                part.isMatch ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
              )}
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}

/** Somebody marking words to copy them does not want to jump. */
const marksText = () => String(getSelection()) !== ''

const readingMs = 4_000

/** Keeps the current line in sight inside the list, and the newest while people talk; whoever reads elsewhere is left there. */
function useFollow(current: number, isPlaying: boolean, count: number, isTalking: boolean) {
  const list = useRef<HTMLOListElement>(null)
  const lookedAroundAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const element = list.current
    const look = () => {
      lookedAroundAt.current = performance.now()
    }
    for (const name of ['wheel', 'touchmove'] as const) element?.addEventListener(name, look, { passive: true })
    return () => {
      for (const name of ['wheel', 'touchmove'] as const) element?.removeEventListener(name, look)
    }
  }, [])
  useEffect(() => {
    const element = list.current
    const at = isTalking ? count - 1 : current
    if (!element || at < 0 || !(isPlaying || isTalking)) return
    if (performance.now() - lookedAroundAt.current < readingMs) return
    const line = element.children[at] as HTMLElement | undefined
    // Only the list scrolls, never the page.
    if (line) element.scrollTop = line.offsetTop - element.offsetTop - element.clientHeight / 3
  }, [current, isPlaying, count, isTalking])
  return list
}
