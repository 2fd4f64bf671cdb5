// The player of a shared call: takes the place of the browser's own, and leads through the transcript as it plays.
const audio = document.querySelector('audio')
const player = document.querySelector('.player')
if (audio && player) start()

function start() {
  const part = (selector) => player.querySelector(selector)
  const [play, slider, bars, state] = ['.play', 'input', '.bars', '.state'].map(part)
  const list = document.querySelector('.lines')
  const lines = [...(list?.children ?? [])].map((line) => ({ line, at: Number(line.dataset.at) }))
  const skipSeconds = 5
  let current = null
  let lookedAroundAt = 0

  const clock = (seconds) => {
    const whole = Math.floor(seconds)
    const two = (value) => String(value).padStart(2, '0')
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
    return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
  }
  const length = () => (Number.isFinite(audio.duration) ? audio.duration : 0)

  const show = () => {
    const now = audio.currentTime
    slider.value = String(now)
    slider.setAttribute('aria-valuetext', `${clock(now)} of ${clock(length())}`)
    part('.now').textContent = clock(now)
    bars.querySelector('clipPath rect')?.setAttribute('width', String(length() ? (now / length()) * 240 : 0))
    follow(now)
  }

  const follow = (now) => {
    const begun = !audio.paused || now > 0
    // The clock of the media is not exact to the last digit.
    const next = (begun && lines.findLast(({ at }) => at <= now + 0.05)?.line) || null
    if (next === current) return
    current?.removeAttribute('aria-current')
    next?.setAttribute('aria-current', 'true')
    current = next
    // Whoever is reading elsewhere is left there.
    if (!next || audio.paused || performance.now() - lookedAroundAt < 4000) return
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    next.scrollIntoView({ block: 'nearest', behavior: isCalm ? 'auto' : 'smooth' })
  }

  const say = (text) => {
    state.textContent = text
  }
  const begin = () => audio.play().catch(() => say('The recording cannot be played here. You can download it below.'))
  const seek = (seconds) => {
    audio.currentTime = Math.min(Math.max(0, seconds), length() || seconds)
    show()
  }
  const toggle = () => (audio.paused ? begin() : audio.pause())

  play.addEventListener('click', toggle)
  slider.addEventListener('input', () => seek(Number(slider.value)))
  slider.addEventListener('keydown', (event) => {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }
    const step = steps[event.key]
    if (event.key === ' ') toggle()
    else if (step) seek(audio.currentTime + step * skipSeconds)
    else return
    event.preventDefault()
  })
  part('select').addEventListener('change', (event) => {
    audio.playbackRate = Number(event.target.value)
  })
  list?.addEventListener('click', (event) => {
    const line = event.target.closest('li')
    if (!line) return
    const link = event.target.closest('a')
    // Somebody marking words to copy them does not want to jump.
    if (!link && String(getSelection()) !== '') return
    if (link && (event.ctrlKey || event.metaKey || event.shiftKey)) return
    event.preventDefault()
    seek(Number(line.dataset.at))
    begin()
  })
  for (const name of ['wheel', 'touchmove']) {
    addEventListener(
      name,
      () => {
        lookedAroundAt = performance.now()
      },
      { passive: true },
    )
  }

  const onPlayPause = () => {
    player.classList.toggle('playing', !audio.paused)
    play.setAttribute('aria-label', audio.paused ? 'Play' : 'Pause')
  }
  for (const name of ['play', 'pause', 'ended']) audio.addEventListener(name, onPlayPause)
  for (const name of ['timeupdate', 'seeked', 'play']) audio.addEventListener(name, show)
  const onLength = () => {
    slider.max = String(length())
    part('.total').textContent = `of ${clock(length())}`
    say('')
    show()
  }
  audio.addEventListener('loadedmetadata', onLength)
  audio.addEventListener('error', () => say('The recording cannot be played right now. Reload the page to try again.'))
  if (audio.readyState > 0) onLength()

  /** The agent above the middle, the other person below; what was played in full colour. */
  const draw = ({ agent, user }) => {
    const wanted = Math.min(agent.length, Math.max(48, Math.round(bars.clientWidth / 4)))
    const thinned = (peaks) =>
      Array.from({ length: wanted }, (_, i) =>
        Math.max(...peaks.slice(Math.floor((i * peaks.length) / wanted), Math.ceil(((i + 1) * peaks.length) / wanted))),
      )
    const width = 240 / wanted
    const path = (peaks, up) =>
      thinned(peaks)
        .map((peak, i) => {
          const height = Math.max(0.6, peak * 30)
          return `M${(i * width).toFixed(2)} ${up ? 31.5 - height : 32.5}h${(width * 0.62).toFixed(2)}v${height.toFixed(1)}h-${(width * 0.62).toFixed(2)}z`
        })
        .join('')
    const make = (name, attributes, ...children) => {
      const element = document.createElementNS('http://www.w3.org/2000/svg', name)
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
      element.append(...children)
      return element
    }
    const both = () => [
      make('path', { class: 'agent', d: path(agent, true) }),
      make('path', { class: 'user', d: path(user, false) }),
    ]
    bars.append(
      make('clipPath', { id: 'played' }, make('rect', { width: '0', height: '64' })),
      make('g', { class: 'to-come' }, ...both()),
      make('g', { 'clip-path': 'url(#played)' }, ...both()),
    )
    bars.classList.add('drawn')
    show()
  }

  audio.controls = false
  audio.hidden = true
  player.hidden = false
  list?.classList.add('can-seek')
  fetch(audio.dataset.peaks)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status)))))
    .then(draw)
    // Without its picture the player still plays.
    .catch(() => bars.classList.add('drawn'))
}
