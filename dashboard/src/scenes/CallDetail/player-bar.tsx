import { ActionIcon, NativeSelect } from '@mantine/core'
import { useId, useMemo } from 'react'
import { Icon } from '../../ui/icons.tsx'
import { clockText } from '../Calls/call-words.ts'
import { recordingUrl, usePeaks } from './use-call.ts'
import type { Player } from './use-player.ts'
import { barsPath, size } from './waveform.ts'

const speeds = ['0.75', '1', '1.25', '1.5', '2']

export function PlayerBar({ callId, player }: { callId: string; player: Player }) {
  const { seconds, length, isPlaying, failed } = player
  const now = clockText(seconds)
  const whole = clockText(length)
  return (
    <div className="player">
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript below is the caption */}
      <audio ref={player.ref} src={recordingUrl(callId)} preload="metadata" />
      <div className="player-row">
        <ActionIcon
          size="xl"
          radius="xl"
          variant="filled"
          aria-label={isPlaying ? 'Pause' : 'Play'}
          onClick={player.toggle}
        >
          <Icon name={isPlaying ? 'pause' : 'play'} />
        </ActionIcon>
        <div className="wave">
          <Waveform callId={callId} share={length > 0 ? seconds / length : 0} />
          <input
            type="range"
            className="wave-slider"
            aria-label="Position in the recording"
            aria-valuetext={`${now} of ${whole}`}
            min={0}
            max={length || 1}
            step={0.1}
            value={Math.min(seconds, length)}
            onChange={(event) => player.seek(Number(event.currentTarget.value))}
          />
        </div>
      </div>
      <div className="player-row player-facts">
        <span>
          {now} <span className="dimmed">of {whole}</span>
        </span>
        <span className="dimmed small player-keys">Space plays, ← → skip 5 s, j k next and previous line</span>
        <NativeSelect
          size="xs"
          aria-label="Speed"
          value={String(player.speed)}
          onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
          data={speeds.map((value) => ({ value, label: `${value}×` }))}
        />
        <a className="small" href={recordingUrl(callId)} download={`${callId}.wav`}>
          Download
        </a>
      </div>
      {failed && (
        <p role="alert" className="small">
          The recording cannot be played right now. Load the page again to try once more.
        </p>
      )}
    </div>
  )
}

function Waveform({ callId, share }: { callId: string; share: number }) {
  const { data, isPending } = usePeaks(callId)
  const clip = useId()
  const paths = useMemo(
    () => (data ? { agent: barsPath(data.agent, 'above'), user: barsPath(data.user, 'below') } : null),
    [data],
  )
  const bars = paths && (
    <>
      <path className="wave-agent" d={paths.agent} />
      <path className="wave-user" d={paths.user} />
    </>
  )
  return (
    <svg
      className="wave-bars"
      data-waiting={isPending}
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <clipPath id={clip}>
        <rect width={share * size.width} height={size.height} />
      </clipPath>
      <g className="wave-to-come">{bars}</g>
      <g clipPath={`url(#${clip})`}>{bars}</g>
    </svg>
  )
}
