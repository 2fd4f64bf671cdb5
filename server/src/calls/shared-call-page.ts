import type { Utterance } from '@parley/contract/calls'
import type { SharedAppointment } from '@parley/contract/sharing'
import { type Html, html } from '../platform/html.ts'
import type { OpenedCall } from './shared-call.ts'
import { appointmentWords, clockOf, lengthOf, momentOf, outcomeOf } from './shared-call-words.ts'

/** Addresses are relative to the page's own, so that it works behind any prefix. */
const assets = '../../assets'

const frame = (title: string, body: Html, head: Html = html``): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}/call.css">
${head}</head>
<body>
${body}
</body>
</html>
`.markup

export function sharedCallPage(opened: OpenedCall): string {
  const { call, shared, timeZone, share } = opened
  const title = call.contactName ? `Call with ${call.contactName}` : 'Call'
  const at = call.triggeredAt ?? call.scheduledAt
  const outcome = outcomeOf(call)
  const body = html`<header class="top"><p>${shared.call.organisation_name}</p></header>
<main>
<h1 dir="auto">${title}</h1>
<ul class="facts">
${at && html`<li><time datetime="${at.toISOString()}">${momentOf(at, timeZone)}</time></li>`}
${call.durationSeconds === null ? null : html`<li>Lasted ${lengthOf(call.durationSeconds)}</li>`}
<li>${call.direction === 'outbound' ? 'Called' : 'Answered'} by ${call.agentName}, an AI agent</li>
</ul>
<section aria-labelledby="outcome">
<h2 id="outcome">Outcome</h2>
<p class="badge ${outcome.tone}">${outcome.words}</p>
${shared.insights && html`<p class="summary" dir="auto">${shared.insights.summary}</p>`}
</section>
${shared.appointments.map((each) => appointmentPart(each))}
${shared.recording_url && recordingPart(share.links.token)}
${transcriptPart(opened)}
</main>
<footer><p>Whoever has this link can open this page${expiryPart(opened)}. Please pass it on with care.</p></footer>`
  return frame(
    `${title} · ${shared.call.organisation_name}`,
    body,
    html`<script type="module" src="${assets}/call.js"></script>\n`,
  )
}

const expiryPart = ({ share, timeZone }: OpenedCall): Html | null =>
  share.links.expiresAt && html`, until ${momentOf(share.links.expiresAt, timeZone)}`

const appointmentPart = (each: SharedAppointment): Html => html`<section class="appointment">
<h2>Appointment</h2>
<p class="moment">${dayOf(each.date)}, ${each.start_time} to ${each.end_time} <span>(${each.timezone})</span></p>
<p>${[each.appointment_type_name, appointmentWords[each.status]].filter(Boolean).join(' · ')}</p>
</section>
`

const dayOf = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${date}T00:00:00Z`))

/** Without script it is the browser's own player; with script ours takes its place. */
const recordingPart = (token: string): Html => html`<section class="recording" aria-labelledby="recording">
<h2 id="recording">Recording</h2>
<audio controls preload="metadata" src="recording?token=${token}" data-peaks="peaks?token=${token}"></audio>
<div class="player" hidden>
<button type="button" class="play" aria-label="Play"><svg viewBox="0 0 24 24" aria-hidden="true"><path class="to-play" d="M8 5v14l11-7z"/><path class="to-pause" d="M7 5h4v14H7zM13 5h4v14h-4z"/></svg></button>
<div class="wave"><svg class="bars" viewBox="0 0 240 64" preserveAspectRatio="none" aria-hidden="true"></svg><input type="range" min="0" max="0" step="0.1" value="0" aria-label="Position in the recording"></div>
<p class="clock"><span class="now">0:00</span> <span class="total"></span></p>
<label class="speed">Speed <select><option value="1">1×</option><option value="1.25">1.25×</option><option value="1.5">1.5×</option><option value="2">2×</option></select></label>
<p class="state" role="status">Preparing the recording…</p>
</div>
<p class="save"><a href="recording?token=${token}" download="call.wav">Download the recording</a></p>
</section>
`

function transcriptPart({ call, shared, share }: OpenedCall): Html {
  if (shared.transcript.length === 0) return html``
  const link = shared.recording_url ? `recording?token=${share.links.token}` : null
  const names: Record<string, string> = { agent: call.agentName, user: call.contactName ?? 'Person called' }
  return html`<section aria-labelledby="transcript">
<h2 id="transcript">Transcript</h2>
<ol class="lines"${langOf(call.preferredLanguage)}>
${shared.transcript.map((line) => linePart(line, names[line.speaker] ?? line.speaker, link))}</ol>
</section>`
}

/** Without script the time leads into the recording itself, at that second. */
const linePart = (line: Utterance, name: string, link: string | null): Html => {
  const time = clockOf(line.timestamp)
  return html`<li class="${line.speaker === 'agent' ? 'agent' : 'user'}" data-at="${line.timestamp}">
<span class="time">${link ? html`<a href="${link}#t=${line.timestamp}" aria-label="Play from ${time}">${time}</a>` : time}</span>
<p class="said"><b dir="auto">${name}</b> <span dir="auto">${line.text}</span></p></li>
`
}

function langOf(language: string | null): Html | null {
  return language && /^[a-z]{2}(-[A-Z]{2})?$/.test(language) ? html` lang="${language}"` : null
}

export const refusalPages = {
  NOT_FOUND: refusalPage('This link does not work', [
    'There is nothing to see behind it. It may have been cut off when it was copied, or the people who shared it have closed it.',
    'Try opening it again from the message it came in. If that does not help, ask whoever sent it to you for a new one.',
  ]),
  LINK_EXPIRED: refusalPage('This link has expired', [
    'It led to a call that was shared for a limited time, and that time is over.',
    'Ask whoever sent it to you for a new one.',
  ]),
  UNAVAILABLE: refusalPage('Just a moment, please', [
    'This page cannot be shown right now. Nothing is wrong with your link.',
    'Try again in a minute.',
  ]),
} as const

function refusalPage(title: string, sentences: string[]): string {
  return frame(
    title,
    html`<main class="refusal"><h1>${title}</h1>${sentences.map((each) => html`<p>${each}</p>`)}</main>`,
  )
}
