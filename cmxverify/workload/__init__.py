"""What is stored and asked: KV shapes, sizing, working sets."""
