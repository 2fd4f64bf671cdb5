import { expect, it } from 'vitest'
import { html } from './html.ts'

it('what is filled in is text, in content and in attributes', () => {
  const evil = `"><script>alert('1 & 2')</script>`
  expect(html`<p title="${evil}">${evil}</p>`.markup).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1 &amp; 2&#39;)&lt;/script&gt;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;1 &amp; 2&#39;)&lt;/script&gt;</p>',
  )
})

it('markup of our own stays markup, in lists too; null is nothing', () => {
  const items = ['a', '<b>'].map((each) => html`<li>${each}</li>`)
  expect(html`<ul>${items}</ul>${null}${0}`.markup).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>0')
})
