import { Link } from '@tanstack/react-router'
import { groups } from '../places.ts'
import { Icon } from './icons.tsx'

export function Nav() {
  return (
    <div className="nav">
      {groups.map((group) => (
        <div key={group.label} className="nav-group">
          <p className="nav-label">{group.label}</p>
          {group.places.map(({ to, label, icon }) => (
            <Link key={to} to={to} className="nav-link" activeOptions={{ exact: to === '/', includeSearch: false }}>
              <Icon name={icon} />
              {label}
            </Link>
          ))}
        </div>
      ))}
      <div className="nav-group">
        <p className="nav-label">Learn</p>
        <a className="nav-link" href="/docs">
          <Icon name="book" />
          API reference
        </a>
      </div>
    </div>
  )
}
