import { useCallback, useEffect, useRef, useState } from 'react'

export interface Player {
  /** For the audio element. */
  ref: (element: HTMLAudioElement | null) => void
  seconds: number
  /** Where it is this very moment: `seconds` is where it was when it was drawn. */
  position: () => number
  length: number
  isPlaying: boolean
  hasBegun: boolean
  failed: boolean
  speed: number
  toggle: () => void
  seek: (seconds: number) => void
  playFrom: (seconds: number) => void
  setSpeed: (speed: number) => void
}

/** The audio element's state as React's. The recording's own length counts; the server's is a hint until it is known. */
export function usePlayer(lengthHint: number): Player {
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null)
  const [state, setState] = useState({ seconds: 0, length: 0, isPlaying: false, hasBegun: false, failed: false })
  const [speed, setRate] = useState(1)
  const speedNow = useRef(1)

  useEffect(() => {
    if (!audio) return
    const show = () =>
      setState((before) => ({
        seconds: audio.currentTime,
        length: Number.isFinite(audio.duration) ? audio.duration : 0,
        isPlaying: !audio.paused,
        hasBegun: before.hasBegun || !audio.paused || audio.currentTime > 0,
        failed: audio.error !== null,
      }))
    const names = ['timeupdate', 'seeked', 'play', 'pause', 'ended', 'loadedmetadata', 'error'] as const
    for (const name of names) audio.addEventListener(name, show)
    return () => {
      for (const name of names) audio.removeEventListener(name, show)
    }
  }, [audio])

  const seek = useCallback(
    (seconds: number) => {
      if (!audio) return
      const end = Number.isFinite(audio.duration) ? audio.duration : seconds
      audio.currentTime = Math.min(Math.max(0, seconds), end)
    },
    [audio],
  )
  const play = useCallback(() => {
    if (!audio) return
    audio.playbackRate = speedNow.current
    audio.play().catch(() => setState((before) => ({ ...before, failed: audio.error !== null })))
  }, [audio])

  return {
    ref: setAudio,
    ...state,
    length: state.length || lengthHint,
    position: () => audio?.currentTime ?? 0,
    speed,
    seek,
    toggle: () => (audio?.paused ? play() : audio?.pause()),
    playFrom: (seconds) => {
      seek(seconds)
      play()
    },
    setSpeed: (rate) => {
      speedNow.current = rate
      setRate(rate)
      if (audio) audio.playbackRate = rate
    },
  }
}
