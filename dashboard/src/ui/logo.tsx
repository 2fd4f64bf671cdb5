export function Logo() {
  return (
    <span className="logo">
      <svg role="img" aria-label="Parley" width="28" height="28" viewBox="0 0 32 32">
        <rect className="logo-plate" width="32" height="32" rx="9" />
        <path
          className="logo-voice"
          d="M8.5 14v4M13.5 9.5v13M18.5 12v8M23.5 14.5v3"
          strokeWidth="2.6"
          strokeLinecap="round"
        />
      </svg>
      <span className="logo-word" aria-hidden="true">
        Parley
      </span>
    </span>
  )
}
