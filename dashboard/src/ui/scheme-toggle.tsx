import { SegmentedControl, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { Icon, type IconName } from './icons.tsx'

const schemes = [
  { value: 'light', words: 'Light', icon: 'sun' },
  { value: 'dark', words: 'Dark', icon: 'moon' },
  { value: 'auto', words: 'Same as this device', icon: 'auto' },
] as const satisfies readonly { value: string; words: string; icon: IconName }[]

export function SchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label="Colour scheme"
      size="xs"
      value={colorScheme}
      onChange={setColorScheme}
      withItemsBorders={false}
      data={schemes.map(({ value, words, icon }) => ({
        value,
        label: (
          <span className="scheme" title={words}>
            <Icon name={icon} size={16} />
            <VisuallyHidden>{words}</VisuallyHidden>
          </span>
        ),
      }))}
    />
  )
}
