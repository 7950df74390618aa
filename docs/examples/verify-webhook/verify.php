<?php

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/**
 * Returns true if webhook-signature contains a valid signature and the request was sent within the last five
 * minutes. $rawBody is file_get_contents('php://input'), not re-encoded JSON. $headers is
 * array_change_key_case(getallheaders()).
 */
function verify_standard(string $rawBody, array $headers, string $secret, ?int $now = null): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if ($id === '' || !preg_match('/^[0-9]{1,15}$/D', $timestamp)) {
        return false;
    }
    if (abs(($now ?? time()) - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $digest = hash_hmac('sha256', "$id.$timestamp.$rawBody", key_of($secret), true);
    $expected = 'v1,' . base64_encode($digest);
    // While a secret is being replaced, there is a signature for each secret.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $each) {
        if (hash_equals($expected, $each)) {
            return true;
        }
    }
    return false;
}

/** Returns true if X-Webhook-Signature is valid. This signature does not cover the time of sending. */
function verify_body(string $rawBody, array $headers, string $secret): bool
{
    if ($secret === '') {
        throw new InvalidArgumentException('There is no secret.');
    }
    $expected = 'sha256=' . hash_hmac('sha256', $rawBody, $secret);
    return hash_equals($expected, $headers['x-webhook-signature'] ?? '');
}

function key_of(string $secret): string
{
    $key = str_starts_with($secret, 'whsec_')
        ? base64_decode(substr($secret, strlen('whsec_')), true)
        : $secret;
    if ($key === false || $key === '') {
        throw new InvalidArgumentException('There is no secret, or it is not base64.');
    }
    return $key;
}
