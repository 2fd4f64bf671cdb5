<?php

declare(strict_types=1);

/** $rawBody: file_get_contents('php://input'). The two headers. $secret: the whole whsec_… string. */
function is_from_parley(string $rawBody, ?string $timestamp, ?string $signature, string $secret, ?int $now = null): bool
{
    if ($timestamp === null || $signature === null) {
        return false;
    }
    if (preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1) {
        return false;
    }
    if (abs(($now ?? time()) - (int) $timestamp) > 300) {
        return false;
    }
    $expected = 'v1=' . base64_encode(hash_hmac('sha256', $timestamp . '.' . $rawBody, $secret, true));

    return hash_equals($expected, $signature);
}

// As a program: `php verify.php CASES` says true or false for each line of a file; see README.md.
if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    foreach (file($argv[1], FILE_IGNORE_NEW_LINES) as $line) {
        [$now, $body, $timestamp, $signature, $secret] = explode("\t", $line);
        $texts = array_map('base64_decode', [$body, $timestamp, $signature, $secret]);
        echo is_from_parley(...$texts, now: (int) $now) ? 'true' : 'false', "\n";
    }
}
// End of the program.
