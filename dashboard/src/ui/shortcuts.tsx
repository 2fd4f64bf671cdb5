import { Kbd } from '@mantine/core'
import { destinations } from '../places.ts'
import { Dialog } from './dialog.tsx'

/** The sheet that ? opens. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keyboard" centered>
      <dl className="facts">
        <div className="fact">
          <dt>Find anything</dt>
          <dd>
            <Kbd>Ctrl</Kbd> <Kbd>K</Kbd>
          </dd>
        </div>
        {destinations.map(({ label, key }) => (
          <div className="fact" key={key}>
            <dt>{label}</dt>
            <dd>
              <Kbd>g</Kbd> <Kbd>{key}</Kbd>
            </dd>
          </div>
        ))}
        <div className="fact">
          <dt>This list</dt>
          <dd>
            <Kbd>?</Kbd>
          </dd>
        </div>
      </dl>
    </Dialog>
  )
}
