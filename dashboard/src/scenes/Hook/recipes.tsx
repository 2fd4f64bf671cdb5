import { Tabs, Text } from '@mantine/core'
import guide from '../../../../docs/INBOUND.md?raw'
import { Code } from '../../ui/code.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Block, recipeTitles, sectionsOf, withUrl } from './guide.ts'

const sections = sectionsOf(guide)
const recipes = recipeTitles.flatMap((title) => sections.find((each) => each.title === title) ?? [])

/** Ready to paste. `url` is known only to whoever has just made it. */
export function Recipes({ url }: { url: string | null }) {
  return (
    <Panel title="Recipes">
      <Text size="sm" c="dimmed" mb="md">
        {url === null
          ? 'Put your hook URL where it says so. Agent IDs are on the page Agents & numbers.'
          : 'Your new URL is filled in where there is a place for it. Agent IDs are on the page Agents & numbers.'}
      </Text>
      <Tabs defaultValue={recipes[0]?.title ?? null} keepMounted={false}>
        <Tabs.List aria-label="Tools" className="recipe-tabs">
          {recipes.map(({ title }) => (
            <Tabs.Tab key={title} value={title}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {recipes.map(({ title, blocks }) => (
          <Tabs.Panel key={title} value={title} pt="md">
            <div className="recipe">
              {url !== null && title !== 'curl' && <Code text={url} label="hook URL" />}
              {blocks.map((block, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the text of a document does not move
                <BlockView key={at} block={block} label={`${title} ${at + 1}`} url={url} />
              ))}
            </div>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Panel>
  )
}

function BlockView({ block, label, url }: { block: Block; label: string; url: string | null }) {
  if (block.kind === 'code') return <Code text={withUrl(block.text, url)} label={label} />
  return (
    <Text size="sm">
      {block.pieces.map((piece, at) => {
        const key = `${at} ${piece.text}`
        if (piece.kind === 'bold') return <strong key={key}>{piece.text}</strong>
        return piece.kind === 'code' ? <code key={key}>{piece.text}</code> : <span key={key}>{piece.text}</span>
      })}
    </Text>
  )
}
